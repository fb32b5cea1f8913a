/** Certificates of several configurations. */
import { appendFile, cp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { payloadOf, readEnvelope } from '../../certificate/envelope.js'
import { readStatement } from '../../certificate/statement.js'
import { certifyCommand } from '../../cli/commands/certify-command.js'
import { verifyCommand } from '../../cli/commands/verify-command.js'
import type { Flags } from '../../cli/target/settings.js'
import { readRecord } from '../../record/file/read-record.js'
import { startSimulator } from '../../simulator/simulator.js'
import { keyFiles } from '../support/bundles/certified-bundle.js'
import { type CalledCommand, call, callRun } from '../support/processes/called-command.js'
import { lookupRows, writeLookupSuite } from '../support/suites/lookup-suite.js'

const secret = 'a-secret-of-the-second-configuration'
const folder = t.testdir({ suite: {} })
const suite = await writeLookupSuite(join(folder, 'suite'))
await appendFile(
  join(suite, 'rules/general.yaml'),
  '  - { id: LOOK-TOKEN, statement: Callers have a token., strength: must, section: Lookups, passages: [paragraph 4] }\n',
)
await appendFile(
  join(suite, 'cases/contract-by-id/look-up.yaml'),
  `  - id: LOOK-WITH-TOKEN
    title: Nothing is found of what is unknown, with a token either
    rules: [LOOK-TOKEN]
    needs: [authorization]
    request: look-up
    outcome: unknown-contract
    edit: { /contractId: '00${'ab'.repeat(32)}' }
    rows:
      - { id: own }
      - { id: basic, token: basic }
`,
)
await appendFile(
  join(suite, 'actors.yaml'),
  "tokens:\n  basic: { meaning: another scheme than Bearer, header: 'Basic YWxpY2U6c2VjcmV0' }\n",
)
const signer = await keyFiles(folder, 'signer')
const [open, strict] = await Promise.all([
  startSimulator({ seed: 'one participant' }),
  startSimulator({ seed: 'one participant', authorization: `hs256:${secret}` }),
])
t.teardown(() => Promise.all([open.close(), strict.close()]))
const late = { lateCheck: '0', record: 'plain' }
const tokens = { authorization: `hs256:${secret}`, ...late }

const certify = (out: string, more: Flags): Promise<CalledCommand> =>
  call(() =>
    certifyCommand(
      {
        suite,
        target: open.url,
        out: join(folder, out),
        signer: 'A. Signer',
        key: signer.privatePath,
        ...late,
        ...more,
      },
      false,
    ),
  )

const verify = (path: string): Promise<CalledCommand> =>
  call(() => verifyCommand(path, { suite, key: signer.publicPath }, false))

async function claimsIn(bundle: string) {
  const envelope = readEnvelope(await readFile(join(bundle, 'certificate.json'), 'utf8'))
  return envelope && readStatement(payloadOf(envelope).toString('utf8'))?.predicate.claims
}

t.test('an earlier run adds its evidence, and the signature covers its record', async (t) => {
  const earlier = join(folder, 'earlier')
  t.equal((await callRun(t, { suite, target: strict.url, out: earlier, ...tokens })).code, 0)
  const { code, stdout, stderr } = await certify('also', { also: [earlier] })
  t.equal(code, 0, stdout + stderr)
  const bundle = join(folder, 'also', 'latest')
  const claims = await claimsIn(bundle)
  t.match(claims?.configurations, [
    { url: open.url, authorization: 'none', synchronizers: 'one' },
    { url: strict.url, authorization: 'hs256', digest: /^[0-9a-f]{64}$/ },
  ])
  t.strictSame(
    claims?.unexamined.map(({ rule }) => rule),
    ['LOOK-INSIDE'],
    'the rule about tokens is examined',
  )
  t.equal(
    await readFile(join(bundle, 'run-2.ndjson'), 'utf8'),
    await readFile(join(earlier, 'latest', 'run.ndjson'), 'utf8'),
  )
  const verified = await verify(bundle)
  t.equal(verified.code, 0, verified.stdout + verified.stderr)
  t.match(verified.stdout, 'every verdict from its evidence')
  t.match(verified.stdout, `configuration 2: ${strict.url} (3.5.10), protocol version 35, authorization hs256`)
  const copy = join(folder, 'copy')
  await cp(bundle, copy, { recursive: true, dereference: true })
  const text = await readFile(join(copy, 'run-2.ndjson'), 'utf8')
  await writeFile(join(copy, 'run-2.ndjson'), text.replace('"verdict":"pass"', '"verdict":"fail"'))
  const altered = await verify(copy)
  t.equal(altered.code, 1)
  t.match(altered.stdout, /configuration 2: rows\[\S+\]\.verdict is recorded as "fail", but "pass" follows/)
  await rm(join(copy, 'run-2.ndjson'))
  const missing = await verify(copy)
  t.equal(missing.code, 1)
  t.match(missing.stdout, /run-2\.ndjson is missing/)
})

t.test('one run is no second configuration', async (t) => {
  const copy = join(folder, 'doubled')
  await cp(join(folder, 'also', 'latest'), copy, { recursive: true, dereference: true })
  await cp(join(copy, 'run.ndjson'), join(copy, 'run-2.ndjson'))
  const { run } = (await readRecord(join(copy, 'run.ndjson'))).header
  t.match(await verify(copy), {
    code: 1,
    stdout: `the run record cannot be read: configurations: the run ${run} is given twice; leave it out once`,
  })
  const earlier = join(folder, 'earlier')
  t.match(await certify('doubled-also', { also: [earlier, earlier] }), { code: 2, stderr: / is given twice; leave/ })
})

t.test('an earlier run of another participant is refused by its participant id', async (t) => {
  const other = await startSimulator({ authorization: `hs256:${secret}` })
  t.teardown(() => other.close())
  const earlier = join(folder, 'other')
  t.equal((await callRun(t, { suite, target: other.url, out: earlier, ...tokens })).code, 0)
  const { code, stderr } = await certify('refused', { also: [earlier] })
  t.equal(code, 2)
  t.match(stderr, /are of two participants: sandbox::\w+ and sandbox::\w+; add only runs of one participant/)
})

t.test('configurations of a file are certified together', async (t) => {
  const config = join(folder, 'both.yaml')
  const second = { target: strict.url, authorization: `hs256:${secret}` }
  await writeFile(config, JSON.stringify({ configurations: [second] }))
  const { code, stdout, stderr } = await certify('both', { config })
  t.equal(code, 0, stdout + stderr)
  const bundle = join(folder, 'both', 'latest')
  const claims = await claimsIn(bundle)
  t.match(claims?.configurations, [
    { url: open.url, judged: lookupRows },
    { url: strict.url, judged: 2 },
  ])
  t.strictSame(
    claims?.unexamined.map(({ rule }) => rule),
    ['LOOK-INSIDE'],
  )
  const verified = await verify(bundle)
  t.equal(verified.code, 0, verified.stdout + verified.stderr)
})

t.test('unusable earlier runs are rejected before any request', async (t) => {
  const selected = join(folder, 'selected')
  await callRun(t, { suite, target: open.url, out: selected, only: 'LOOK-NOTHING', ...late })
  const refused = async (more: Flags): Promise<string> => {
    const { code, stderr } = await certify('refused', more)
    t.equal(code, 2)
    return stderr
  }
  t.match(
    await refused({ also: [selected] }),
    /^also: .*selected cannot be used, because only rows that match .* were run/,
  )
  t.match(await refused({ also: [join(folder, 'both')] }), /has several configurations; list them under configurations/)
  t.match(await refused({ also: [join(folder, 'nowhere')] }), /the run record cannot be read/)
  t.match(await refused({ also: [selected], challenge: 'drawn' }), /--also and --challenge exclude each other/)
  const byText = join(folder, 'by-text')
  await callRun(t, { suite, target: open.url, out: byText, profile: 'interface', ...late })
  t.match(
    await refused({ also: [byText], profile: 'canton-3.5' }),
    /differ in their profile: interface and canton-3\.5; leave one of them out/,
  )
})

t.test('a signing secret that is an ordinary word of the suite or of a marker prevents no certificate', async (t) => {
  for (const word of ['secret', 'alice', 'signing']) {
    const { url, close } = await startSimulator({ authorization: `hs256:${word}` })
    t.teardown(close)
    const { code, stdout, stderr } = await certify(word, { target: url, authorization: `hs256:${word}` })
    t.equal(code, 0, `${word}: ${stdout}${stderr}`)
    const verified = await verify(join(folder, word, 'latest'))
    t.equal(verified.code, 0, `${word}: ${verified.stdout}${verified.stderr}`)
  }
})
