import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { suiteFolder, writeCertificate } from '../../certificate/bundle.js'
import { type Signer, SigningError, seal } from '../../certificate/envelope.js'
import { restrictionsOf } from '../../certificate/restrictions.js'
import { keyCommand, keyFile, passphraseIn, passphraseVariable } from '../../certificate/signers.js'
import { seedOf } from '../../certificate/verify/challenge.js'
import { verifyBundle } from '../../certificate/verify/verify-bundle.js'
import { makeFolder } from '../../lib/files/paths.js'
import { writeOutput } from '../../lib/files/write-output.js'
import { print, printError } from '../../lib/print.js'
import { registerSecret } from '../../lib/redaction/redaction.js'
import { UsageError } from '../../lib/usage-error.js'
import { isComplete } from '../../record/judgements/tally.js'
import { expectOnce } from '../../record/merge/combine-records.js'
import { type Conclusion, conclude } from '../../reports/summary/conclusion.js'
import { visibleLine } from '../../reports/wording/hostile-text.js'
import { shellWord } from '../../reports/wording/shell.js'
import { diagnose, verdictOf } from '../../runner/preflight/diagnose.js'
import type { Settings } from '../../runner/target/read-settings.js'
import { readSuiteFiles } from '../../runner/yaml/suite-files.js'
import { doctorJson } from '../console/doctor-text.js'
import { type ExitCode, exitCode } from '../console/exit-code.js'
import { certifiedReports, targetName, verifyOptionsOf } from '../output/certified-reports.js'
import { type RecordFile, readRun, recordsOf } from '../output/read-run.js'
import { reportRun } from '../output/report-run.js'
import { writeTexts } from '../output/write-reports.js'
import { type Configuration, configurationsOf } from '../target/configurations.js'
import { performRun } from '../target/perform-run.js'
import { type Flags, gatherSettings } from '../target/settings.js'
import { suitePath, toolDigest, toolIdentity } from '../tool/tool.js'

interface CertifyFlags {
  signer: string
  key?: string
  keyPassphraseFile?: string
  keyCommand?: string
  publicKey?: string
  challenge?: string
  also?: string[]
}

/** Rejects with `UsageError`, `SigningError`, and the errors of a run. */
export async function certifyCommand(
  {
    signer: name,
    key,
    keyPassphraseFile,
    keyCommand: command,
    publicKey,
    challenge,
    also = [],
    ...flags
  }: Flags & CertifyFlags,
  color: boolean,
): Promise<ExitCode> {
  const settings = await gatherSettings(flags, process.env)
  expectStrict(settings)
  // Tests the key before the run.
  const signer = await signerOf({ key, keyPassphraseFile, command, publicKey })
  await seal('{}', signer)
  if (also.length > 0 && challenge !== undefined)
    throw new UsageError(
      'certify: --also and --challenge exclude each other, because the challenge is newer than an earlier run',
    )
  const earlier = await readAlso(also)
  const diagnoses = new Map<string, string>()
  const seed = seedFrom(challenge, settings)
  const [first, ...others] = await configurationsOf(settings)
  const withSeed = (one: Configuration): Configuration => ({ ...one, options: { ...one.options, ...seed } })
  return performRun([withSeed(first), ...others.map(withSeed)], {
    flags,
    also: earlier,
    begin: async (running) => {
      const diagnosis = await diagnose(running, new Map(), () => undefined)
      diagnoses.set(running.recordFile, doctorJson(running.target.url, verdictOf(diagnosis), diagnosis))
    },
    report: async (written, recordFile, folder) => {
      const code = await reportRun(written, recordFile, folder, color)
      // Signs the content of the file.
      const record = await readRun(recordFile)
      if (!isComplete(record)) {
        printError('Not certified: the run did not complete.')
        return code === exitCode.conforming ? exitCode.incomplete : code
      }
      const conclusion = conclude(record)
      if (conclusion.outcome !== 'conforming') {
        printError(`Not certified: ${whyUnsigned(conclusion)} The reports in ${folder} are not signed.`)
        return code === exitCode.conforming ? exitCode.incomplete : code
      }
      const issued = new Date()
      const reports = await certifiedReports(record, { name, issued: issued.toISOString() })
      // A configuration without rows has no record.
      const own = (record.header.configurations?.length ?? 1) - earlier.length
      const targets = [...diagnoses.values()].slice(0, own).map((one) => `${one}\n`)
      await writeTexts(folder, [...reports, [targetName, targets.join('')]])
      await copySuite(suitePath(settings.run.suite), join(folder, suiteFolder))
      const tool = { ...toolIdentity(), digest: await toolDigest() }
      const path = await writeCertificate(folder, record, { name, tool, issued }, signer)
      const { suite } = settings.run
      if (!(await checkBundle(folder, { suite, key: signer.publicKey, challenge }))) {
        await rm(path)
        return exitCode.incomplete
      }
      const trusted = suite === undefined ? '' : ` --suite ${shellWord(suite)}`
      print(`${path}\n\nVerify it with: conform verify ${shellWord(folder)}${trusted} --key <public key of ${name}>`)
      return code
    },
  })
}

const whyUnsigned = ({ outcome, inWords, problems }: Conclusion): string =>
  outcome === 'not conforming'
    ? `the participant does not conform. ${[`${inWords}.`, ...problems].join(' ')}`
    : `the evidence is incomplete. ${problems.join(' ')}`

/** Prints each point that `verify` cannot prove. */
async function checkBundle(folder: string, verifier: Parameters<typeof verifyOptionsOf>[0]): Promise<boolean> {
  const { findings } = await verifyBundle(folder, await verifyOptionsOf(verifier))
  const serious = findings.filter(({ kind }) => kind === 'altered' || kind === 'unproven')
  if (serious.length === 0) return true
  const points = serious.map(({ what }) => `! ${visibleLine(what)}`)
  printError([`Not certified: conform verify would not confirm the bundle ${folder}:`, ...points].join('\n'))
  return false
}

const restrictions: readonly (readonly [name: string, isSet: (run: Settings['run']) => boolean])[] = [
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

function expectStrict({ run, connection, sources }: Settings): void {
  const found = [
    ...restrictions.flatMap(([name, isSet]) => (isSet(run) ? [name] : [])),
    ...(connection.insecure ? ['insecure'] : []),
  ]
  const placed = found.map((name) => `${name} (${sources.get(name)})`)
  if (found.length > 0)
    throw new UsageError(
      `certify: remove ${placed.join(', ')}. A certified run excuses no failure, omits no row, and verifies the identity of the target`,
    )
}

/** Rejects with `UsageError`, `RecordError` and `ConfigurationsError`. */
async function readAlso(paths: readonly string[]): Promise<RecordFile[]> {
  const found: RecordFile[] = []
  for (const path of paths) {
    const [run, ...others] = await recordsOf(path)
    if (!run) throw new UsageError(`also: ${path} contains no run`)
    if (others.length > 0)
      throw new UsageError(`also: ${path} has several configurations; list them under configurations in a target file`)
    if (!isComplete(run.record))
      throw new UsageError(`also: ${path} is not the record of a completed run; run it again`)
    const [forbidden] = restrictionsOf(run.record.header).filter(({ isForbidden }) => isForbidden)
    if (forbidden) throw new UsageError(`also: ${path} cannot be used, because ${forbidden.what}; run the whole suite`)
    found.push(run)
  }
  expectOnce(found.map(({ record }) => record))
  return found
}

/** Characters: a challenge fits on a line of a report. */
const longestChallenge = 200

function seedFrom(challenge: string | undefined, { run }: Settings): { seed?: string; challenge?: string } {
  if (challenge === undefined) return {}
  if (run.seed !== undefined) throw new UsageError('certify: --seed and --challenge exclude each other; remove --seed')
  if (challenge.trim() === '' || challenge.length > longestChallenge)
    throw new UsageError(`certify: --challenge takes a string of 1 to ${longestChallenge} characters`)
  return { seed: seedOf(challenge), challenge }
}

type SignerFlags = Partial<Record<'key' | 'keyPassphraseFile' | 'command' | 'publicKey', string | undefined>>

async function signerOf({ key, keyPassphraseFile: file, command, publicKey }: SignerFlags): Promise<Signer> {
  if (key !== undefined && command === undefined) {
    const passphrase = file === undefined ? process.env[passphraseVariable] : await passphraseIn(file)
    if (passphrase !== undefined) registerSecret(passphrase, 'passphrase of the key')
    return keyFile(key, passphrase)
  }
  if (file !== undefined) throw new SigningError('certify: --key-passphrase-file requires --key FILE')
  if (command !== undefined && publicKey !== undefined && key === undefined) return keyCommand(command, publicKey)
  throw new SigningError('certify: name the signing key: --key FILE, or --key-command LINE and --public-key FILE')
}

async function copySuite(from: string, to: string): Promise<void> {
  for (const { name, text } of await readSuiteFiles(from)) {
    await makeFolder(dirname(join(to, name)))
    await writeOutput(join(to, name), text)
  }
}
