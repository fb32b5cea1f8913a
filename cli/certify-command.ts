/** `conform certify`: the whole suite by the strict rules, and a signed statement about what came of it. */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { suiteFolder } from '../certificate/bundle-files.js'
import { type Signer, SigningError, seal } from '../certificate/envelope.js'
import { passphraseVariable } from '../certificate/passphrase-variable.js'
import { keyCommand, keyFile, passphraseIn } from '../certificate/signers.js'
import { writeCertificate } from '../certificate/write-bundle.js'
import { htmlReport } from '../reports/html.js'
import { diagnose, verdictOf } from '../runner/diagnose.js'
import { readSuiteFiles } from '../runner/load/suite-files.js'
import type { Settings } from '../runner/target/read-settings.js'
import { doctorJson } from './doctor-text.js'
import { type ExitCode, exitCode } from './exit-code.js'
import { isWhole, readRun } from './read-run.js'
import { reportRun } from './report-run.js'
import { performRun } from './run-command.js'
import { runOptionsOf } from './run-options-of.js'
import { type Flags, gatherSettings } from './settings.js'
import { suitePath, toolIdentity } from './tool.js'
import { toolDigest } from './tool-digest.js'
import { UsageError } from './usage-error.js'
import { writeTexts } from './write-reports.js'

interface CertifyFlags {
  signer: string
  key?: string
  keyPassphraseFile?: string
  keyCommand?: string
  publicKey?: string
}

/** What the doctor told of the target, before the run. */
const targetName = 'target.json'

/** Throws `UsageError`, `SigningError`, and what running throws. */
export async function certifyCommand(
  { signer: name, key, keyPassphraseFile, keyCommand: command, publicKey, ...flags }: Flags & CertifyFlags,
  color: boolean,
): Promise<ExitCode> {
  const settings = await gatherSettings(flags, process.env)
  expectStrict(settings)
  // Before the run: that there is no key, or a command that does not sign, must not show behind it.
  const signer = await signerOf({ key, keyPassphraseFile, command, publicKey })
  await seal('{}', signer)
  const options = await runOptionsOf(settings)
  let seen = ''
  return performRun(settings, options, {
    begin: async (running) => {
      const url = running.target.url
      const diagnosis = await diagnose({ ...options, ...running }, new Map(), () => undefined)
      seen = doctorJson(url, verdictOf(diagnosis), diagnosis)
    },
    report: async (written, recordFile, folder) => {
      const code = await reportRun(written, recordFile, folder, color)
      // What is signed is what the file says.
      const record = await readRun(recordFile)
      if (!isWhole(record)) {
        console.error('Nothing is certified: the run did not come to its end.')
        return exitCode.incomplete
      }
      const issued = new Date()
      const html = await htmlReport(record, { signing: { name, issued: issued.toISOString() } })
      await writeTexts(folder, [
        ['report.html', html],
        [targetName, `${seen}\n`],
      ])
      await copySuite(suitePath(settings.run.suite), join(folder, suiteFolder))
      const tool = { ...toolIdentity(), digest: await toolDigest() }
      const path = await writeCertificate(folder, record, { name, tool, issued }, signer)
      console.log(`${path}\n\nVerify it with: conform verify ${dirname(path)} --key <public key of ${name}>`)
      return code
    },
  })
}

/** Settings by which less is run than the suite, or less counts. */
const lax: readonly (readonly [name: string, isSaid: (run: Settings['run']) => boolean])[] = [
  ['only', ({ only = [] }) => only.length > 0],
  ['not', ({ not = [] }) => not.length > 0],
  ['impact', ({ impact = [] }) => impact.length > 0],
  ['failed-of', ({ failedOf }) => failedOf !== undefined],
  ['shard', ({ shard }) => shard !== undefined],
  ['repeat', ({ repeat }) => repeat !== undefined],
  ['fail-fast', ({ failFast }) => failFast !== undefined],
  ['baseline', ({ baseline }) => baseline !== undefined],
  ['waivers', ({ waivers }) => waivers !== undefined],
]

/** Whoever signs answers for the whole suite, and for whom it was run on. */
function expectStrict({ run, connection }: Settings): void {
  const found = [...lax.flatMap(([name, of]) => (of(run) ? [name] : [])), ...(connection.insecure ? ['insecure'] : [])]
  if (found.length > 0)
    throw new UsageError(
      `certify: ${found.join(', ')} cannot be said: the whole suite is run, nothing is excused, and the target has to be who it says`,
    )
}

type SignerFlags = Partial<Record<'key' | 'keyPassphraseFile' | 'command' | 'publicKey', string | undefined>>

async function signerOf({ key, keyPassphraseFile: file, command, publicKey }: SignerFlags): Promise<Signer> {
  if (key !== undefined && command === undefined)
    return keyFile(key, file === undefined ? process.env[passphraseVariable] : await passphraseIn(file))
  if (file !== undefined) throw new SigningError('--key-passphrase-file goes with --key FILE')
  if (command !== undefined && publicKey !== undefined && key === undefined) return keyCommand(command, publicKey)
  throw new SigningError('say who signs: --key FILE, or --key-command LINE and --public-key FILE')
}

async function copySuite(from: string, to: string): Promise<void> {
  for (const { name, text } of await readSuiteFiles(from)) {
    await mkdir(dirname(join(to, name)), { recursive: true })
    await writeFile(join(to, name), text)
  }
}
