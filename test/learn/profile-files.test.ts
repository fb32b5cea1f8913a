/** Profiles that are files of the user: linted, recorded, certified and verified. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { certifyCommand } from '../../cli/commands/certify-command.js'
import { verifyCommand } from '../../cli/commands/verify-command.js'
import { readRun } from '../../cli/output/read-run.js'
import { startSimulator } from '../../simulator/simulator.js'
import { keyFiles } from '../support/bundles/certified-bundle.js'
import { call, callRun } from '../support/processes/called-command.js'
import { writeLookupSuite } from '../support/suites/lookup-suite.js'

const folder = t.testdir({ suite: {}, run: {} })
const suite = await writeLookupSuite(join(folder, 'suite'))
const signer = await keyFiles(folder, 'signer')
const simulator = await startSimulator()
t.teardown(() => simulator.close())

const profile = (entries: string): string =>
  `profile: mine\ntitle: A profile of the user\nextends: ${extended}\nconfidence: observed\nsource: test\n${entries}`

const extended = 'canton-3.5'

async function profileFile(name: string, text: string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, text)
  return path
}

const run = async (t: Test, path: string) => {
  const { code, stdout, stderr } = await callRun(t, {
    suite,
    target: simulator.url,
    profile: path,
    out: join(folder, 'run'),
    lateCheck: '0',
  })
  return { code, output: `${stdout}${stderr}` }
}

t.test('a run uses and records a profile file', async (t) => {
  const path = await profileFile('mine.yaml', profile('situations: {}\n'))
  const { code, output } = await run(t, path)
  t.equal(code, 0, output)
  const { header } = await readRun(join(folder, 'run'))
  t.match(header.profile, { name: 'mine', file: { text: profile('situations: {}\n') } })
})

t.test('a certified run contains the profile file, and verify uses it', async (t) => {
  const path = await profileFile('certified.yaml', profile('situations: {}\n'))
  const out = join(folder, 'certified')
  const options = { suite, target: simulator.url, profile: path, out, signer: 'A. Signer', key: signer.privatePath }
  const certified = await call(() => certifyCommand({ ...options, lateCheck: '0' }, false))
  t.equal(certified.code, 0, certified.stderr)
  const verified = await call(() => verifyCommand(join(out, 'latest'), { suite, key: signer.publicPath }, false))
  t.match(`${verified.stdout}${verified.stderr}`, /the profile mine is a file of the user, and no part of the suite/)
  t.equal(verified.code, 0, verified.stderr)
})

t.test('a wrong profile file is rejected with file, line and column', async (t) => {
  for (const [text, message] of [
    [profile('situations:\n  unknown-contact: { accepted: true }\n'), /unknown situation "unknown-contact"/],
    [
      profile('situations:\n  no-contract-id: { accepted: true }\n'),
      /the text does not permit that "no-contract-id" is accepted[\s\S]*hint: name the violation with "divergence"/,
    ],
    [profile('also-observed: [nothing]\n'), /unknown inherited fact "nothing"/],
    ['profile: mine\ntitle: x\nconfidence: observed\nextends: nothing\n', /unknown profile "nothing"/],
  ] as const) {
    const path = await profileFile('wrong.yaml', text)
    const { code, output } = await run(t, path)
    t.equal(code, 2, output)
    t.match(output, /wrong\.yaml:\d+:\d+: error: /)
    t.match(output, message)
  }
  const { code, output } = await run(t, join(folder, 'missing.yaml'))
  t.equal(code, 2)
  t.match(output, /missing\.yaml cannot be read \(ENOENT/)
})
