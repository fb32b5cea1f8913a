/** The commands run, list, show and simulate. */
import { cp, readdir, readFile, readlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import t from 'tap'
import { compareRequests } from '../../../certificate/verify/compare-requests.js'
import { listCommand } from '../../../cli/commands/list/list-command.js'
import { listRulesCommand } from '../../../cli/commands/list/list-rules-command.js'
import { showCommand } from '../../../cli/commands/show-command.js'
import { readParts, readRun, recordOf } from '../../../cli/output/read-run.js'
import type { Flags } from '../../../cli/target/settings.js'
import { readRecord } from '../../../record/file/read-record.js'
import { examineRules } from '../../../record/judgements/examination.js'
import type { RunRecord, RunRow } from '../../../record/types/record.js'
import type { ResolvedRow } from '../../../record/types/resolved-row.js'
import { judgeAgain } from '../../../runner/judge/judge-again.js'
import { rulesOfRow } from '../../../runner/plan/select.js'
import { fileAddress, launchBrowser, pagesOf } from '../../support/processes/browser.js'
import { call, callRun } from '../../support/processes/called-command.js'
import { conform, simulate } from '../../support/processes/conform-process.js'
import { resultText } from '../../support/records/result-text.js'
import { writeLookupSuite } from '../../support/suites/lookup-suite.js'

const project = fileURLToPath(new URL('../../../../', import.meta.url))
const suites = join(project, 'suites')

const verdictsOf = ({ rows }: RunRecord): Record<string, string> =>
  Object.fromEntries(rows.map(({ id, verdict }) => [id, verdict]).sort())

const recordIn = (folder: string): Promise<RunRecord> => readRun(folder)

const folder = t.testdir()
const mainFolder = join(folder, 'main')
const main = conform('run', '--out', mainFolder)
/** The first record, and its rows judged by the profile interface. */
const judgedByText = main.then(async () => {
  const record = await readRecord(await recordOf(mainFolder))
  return { record, byText: judgeAgain(record, 'interface').rows }
})

t.test(
  'a run performs every row on the embedded simulator, in two configurations, and writes eight files',
  async (t) => {
    const { code, stdout } = await main
    t.equal(code, 0, stdout)
    const files = (await readdir(join(mainFolder, 'latest'))).filter((file) => file !== 'history.json').sort()
    const reports = ['badge.svg', 'ctrf.json', 'junit.xml', 'report.html', 'summary.md']
    t.strictSame(files, [...reports, 'run-2.ndjson.gz', 'run.ndjson.gz', 'run.tap'].sort())
    for (const file of files) t.match(stdout, new RegExp(`main/[^/]+/${file}\n`), `the path of ${file} is printed`)
    t.match(stdout, /\d+ requests, \d+ committed transactions, about \d+ s; seed/)
    const record = await recordIn(mainFolder)
    t.ok(record.footer?.conforming)
    t.ok((record.footer?.counts.pass ?? 0) >= 80, 'at least 80 rows are judged')
    t.strictSame(record.defects, [])
    const open = examineRules(record.header, record.rows).filter(({ state }) => state !== 'examined')
    t.ok(open.length <= 2 && open.every(({ state }) => state === 'untestable'), 'every testable rule is examined')
    t.match(stdout, /^PASS: \d+ of \d+ rows passed, 0 failed, \d+ not applicable; 2 mandatory rules not tested$/m)
    const left = record.rows.filter(({ verdict }) => verdict === 'not-applicable')
    t.ok(
      left.length > 0 &&
        left.every(({ reason }) =>
          /lacks the capability|can stop a faulty participant|: add claims: /.test(reason ?? ''),
        ),
    )
  },
)

t.test('the report of a run without failures has a page for the signer and prints on four pages', async (t) => {
  await main
  const browser = await launchBrowser()
  t.teardown(() => browser.close())
  const page = await browser.newPage()
  await page.goto(fileAddress(join(mainFolder, 'latest', 'report.html')))
  await page.emulateMedia({ media: 'print' })
  await page.locator('.signers-page').waitFor()
  const pages = pagesOf(await page.pdf({ format: 'A4' }))
  t.ok(pages <= 4, `${pages} pages`)
})

t.test('show prints every row as sent: its filled requests equal the recorded ones, byte by byte', async (t) => {
  await main
  const record = await recordIn(mainFolder)
  const flags = { profile: 'canton-3.5', protocolVersion: 35, json: true } as const
  const { code, stdout } = await call(t, () => showCommand('*', flags))
  t.equal(code, 0)
  const shown = new Map(
    stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as ResolvedRow) // the format of --json
      .map((row) => [row.id, row]),
  )
  t.equal(shown.size, record.plan.length)
  for (const { row } of record.plan) if (!isDeepStrictEqual(shown.get(row.id), row)) t.fail(row.id)
  const compared = (await readParts(mainFolder)).flatMap((part) =>
    part.rows.map((row) => compareRequests(part, row, (shown.get(row.id) ?? row.resolved).steps, 'plan')),
  )
  t.strictSame(
    compared.flatMap(({ differences }) => differences),
    [],
  )
  const exchanges = compared.reduce((sum, one) => sum + one.exchanges, 0)
  t.ok(exchanges > 5000, `${exchanges} exchanges`)
  const plain = await call(t, () => showCommand('EWT-ANSWER/signed-hash', { profile: 'interface' }))
  for (const word of ['TRX-EXTERNAL-TRANSACTION-HASH', 'request under test', 'curl ', 'response.yaml:']) {
    t.ok(plain.stdout.includes(word), word)
  }
  t.match(await call(t, () => showCommand('NO-SUCH', { profile: 'interface' })), {
    code: 2,
    stderr: /no row, operation/,
  })
})

t.test('a simulator in another process gets the same verdicts as the embedded one', async (t) => {
  const simulator = await simulate()
  t.teardown(() => simulator.stop())
  const out = join(folder, 'apart')
  const only = ['--only', 'EWT-A*', '--allow', 'write', 'topology', 'upload']
  const { code, stdout } = await conform('run', '--out', out, '--target', simulator.url, ...only)
  t.equal(code, 0, stdout)
  await main
  const { rows, ...record } = await readRecord(await recordOf(mainFolder))
  const same = rows.filter(({ id }) => id.startsWith('EWT-A'))
  t.strictSame(verdictsOf(await recordIn(out)), verdictsOf({ ...record, rows: same }))
})

t.test('a participant on two synchronizers conforms', async (t) => {
  const simulator = await simulate('--synchronizers', '2')
  t.teardown(() => simulator.stop())
  const out = t.testdir()
  const { code, stdout } = await callRun(t, { out, target: simulator.url, only: 'SAW-SYNCHRONIZER*' })
  t.equal(code, 0, stdout)
  t.equal((await recordIn(out)).header.capabilities['several-synchronizers'], true)
})

t.test('with authorization the rows about tokens and rights run, and no file contains a secret', async (t) => {
  const out = t.testdir()
  const secret = 'planted-secret-5c1f'
  const { code, stdout, stderr } = await callRun(t, { out, authorization: `hs256:${secret}`, only: 'AUTH-*' })
  t.equal(code, 0, stdout)
  const { rows } = await recordIn(out)
  t.ok(
    rows.filter((row) => rulesOfRow(row.resolved).includes('AUTH-ACT-AS')).every(({ verdict }) => verdict === 'pass'),
  )
  for (const file of await readdir(join(out, 'latest'))) {
    const text = await resultText(join(out, 'latest', file))
    t.notMatch(text, secret, `${file} does not contain the signing secret`)
    t.notMatch(text, /eyJ[\w-]{10,}\.eyJ/, `${file} contains no token`)
  }
  t.notMatch(stdout + stderr, secret)
})

t.test('by the profile interface, the reference fails exactly the rows with a recorded divergence', async (t) => {
  const { record, byText } = await judgedByText
  const failed = byText.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id)
  // The text does not state the limit of this row.
  const known = record.rows.filter((row) => isDiverging(row) && row.id !== 'SAW-TAPS/largest-int32')
  t.strictSame(failed.sort(), known.map(({ id }) => id).sort())
  t.strictSame(
    byText.filter(({ verdict }) => verdict === 'blocked').map(({ id, reason }) => `${id}: ${reason}`),
    [],
    'every row can be judged again',
  )
  const [first = ''] = failed
  t.equal(
    (await callRun(t, { profile: 'interface', only: first })).code,
    1,
    'a run by the profile has the same verdict',
  )
})

t.test('a failure is printed with its rule, the expected value, and a command to repeat it', async (t) => {
  const only = ['--only', 'CBI-NOT-POPULATED/offset']
  const { stdout } = await conform('run', '--out', t.testdir(), '--profile', 'interface', ...only)
  t.match(stdout, /CBI-NOT-POPULATED\/offset\n {4}Leaves offset, nodeId, createdEventBlob.*\n.*lookup\.yaml:\d+/)
  t.match(stdout, 'CBI-UNPOPULATED (mandatory): The fields offset, nodeId', 'the statement of the rule is printed')
  t.match(stdout, /expected {2}unpopulated.*\n\s+actual {4}1/)
  t.match(stdout, "curl -sS -i -X POST 'http://127.0.0.1:")
  t.match(stdout, 'conform run --only CBI-NOT-POPULATED/offset')
})

const isDiverging = ({ judgements }: RunRow): boolean => judgements.some(({ divergence }) => divergence !== undefined)

t.test('a simulator that follows the text conforms to the text', async (t) => {
  const { record, byText } = await judgedByText
  const before = verdictsOf(record)
  // Rows with other verdicts by the text, and one of every twelfth case. `npm run test:variants` performs all.
  const others = byText.filter(({ id, verdict }) => verdict !== before[id])
  const firsts = new Map(record.plan.toReversed().map(({ row }) => [row.case, row]))
  const some = [...firsts.values()].filter((_, index) => index % 12 === 0)
  const only = [...others, ...some].map(({ id }) => id).join('\n')
  t.ok(others.length > 40, `${others.length} rows have other verdicts`)
  const simulator = await simulate('--behaviour', 'interface')
  t.teardown(() => simulator.stop())
  const { code, stdout } = await callRun(t, { target: simulator.url, profile: 'interface', lateCheck: '0', only })
  t.equal(code, 0, stdout)
})

t.test('a pattern selects rows, and a pattern without rows is an error', async (t) => {
  const out = t.testdir()
  t.equal((await callRun(t, { out, only: 'CBI-WITNESSES' })).code, 0)
  t.ok((await recordIn(out)).rows.every(({ resolved }) => resolved.case === 'CBI-WITNESSES'))
  const latest = await readlink(join(out, 'latest'))
  const nothing = await callRun(t, { out, only: 'NO-SUCH-ROW' })
  t.equal(nothing.code, 2)
  t.equal(await readlink(join(out, 'latest')), latest, 'latest still points to the earlier run')
  t.match(nothing.stderr, 'no row, operation or rule matches "NO-SUCH-ROW"')
  const inapplicable = await callRun(t, { out, only: 'CBI-RIGHTS' })
  t.equal(inapplicable.code, 5)
  t.match(inapplicable.stdout, /No row was judged \(\d+ rows: the target lacks the capability authorization\)/)
})

t.test('an unreachable target prints one line, and the exit code is 3', async (t) => {
  const { code, stderr } = await conform('run', '--target', 'http://127.0.0.1:1', '--out', t.testdir())
  t.equal(code, 3)
  t.match(
    stderr,
    /^http:\/\/127\.0\.0\.1:1\/v2\/version: the target cannot be reached \(ECONNREFUSED\)\. Is the participant running, .*\n$/,
  )
})

t.test('a target with authorization cannot be prepared without a token', async (t) => {
  const simulator = await simulate('--authorization', 'hs256:secret')
  t.teardown(() => simulator.stop())
  const { code, stderr } = await callRun(t, { target: simulator.url })
  t.equal(code, 3)
  t.match(stderr, /participant-id .* returned 401/)
})

t.test('invalid calls exit with 2 and name the remedy', async (t) => {
  const mistakes: [options: string[], message: string | RegExp][] = [
    [['run', '--profil', 'x'], '(Did you mean --profile?)'],
    [
      ['run', '--profile', 'canton'],
      'profile: unknown profile canton; known: canton-3.4, canton-3.5, canton-3.6, interface',
    ],
    [['run', '--concurrency', 'many'], 'expected a whole number'],
    [['run', '--concurrency', '0'], 'at least 1'],
    [
      ['simulate', '--behaviour', 'canton'],
      'behaviour: unknown behaviour canton; known: interface, canton-3.4, canton-3.5, canton-3.6',
    ],
    [['simulate', '--protocol-version', '36'], 'protocol-version: 36 is not supported; known: 34, 35'],
    [['simulate', '--synchronizers', '101'], 'synchronizers: 101 exceeds the maximum of 100'],
    [['simulate', '--synchronizers', '-1'], 'expected a whole number'],
    [['simulate', '--authorization', 'rs256:/no/such/file'], 'cannot read a public key from /no/such/file'],
    [['reun'], '(Did you mean run?)'],
  ]
  for (const [options, message] of mistakes) {
    const { code, stderr } = await conform(...options)
    t.equal(code, 2, options.join(' '))
    t.match(stderr, message)
  }
  const target = 'http://127.0.0.1:1'
  const wrong: [flags: Flags, message: string][] = [
    [{ target: 'participant.example' }, 'is not an http or https URL'],
    [{ target, authorization: 'hs512:x' }, 'authorization: expected none, given, hs256:SECRET'],
  ]
  for (const [flags, message] of wrong) t.match(await callRun(t, flags), { code: 2, stderr: message })
})

t.test('an error in a suite file is printed with file, line, column and a suggestion', async (t) => {
  const mistakes: [file: string, right: string, wrong: string, message: RegExp][] = [
    [
      'cases/contract-by-id/lookup.yaml',
      'outcome: invisible',
      'outcom: invisible',
      /lookup\.yaml:\d+:\d+: error: unknown key "outcom"[\s\S]*did you mean "outcome"/,
    ],
    [
      'cases/contract-by-id/lookup.yaml',
      '[CBI-WITNESS-PARTIES]',
      '[CBI-WITNES-PARTIES]',
      /lookup\.yaml:\d+:\d+: error: unknown rule "CBI-WITNES-PARTIES"[\s\S]*CBI-WITNESS-PARTIES/,
    ],
    [
      'cases/contract-by-id/fields.yaml',
      'outcome: unknown-contract',
      'outcome: unknown-contrct',
      /fields\.yaml:\d+:\d+: error: unknown situation "unknown-contrct"[\s\S]*unknown-contract/,
    ],
    [
      'cases/contract-by-id/lookup.yaml',
      'expect: { body: { /createdEvent/offset: unpopulated } }',
      'expect: {}',
      /lookup\.yaml:\d+:\d+: error: "expect" is empty/,
    ],
  ]
  const folder = t.testdir()
  await cp(suites, folder, { recursive: true })
  for (const [file, right, wrong] of mistakes) {
    const path = join(folder, file)
    const text = await readFile(path, 'utf8')
    t.ok(text.includes(right), `${file} has ${right}`)
    await writeFile(path, text.replace(right, wrong))
  }
  const { code, stderr } = await conform('run', '--suite', folder, '--out', join(folder, 'out'))
  t.equal(code, 2)
  for (const [, , , message] of mistakes) t.match(stderr, message)
})

t.test('list prints every row with its operation and rules', async (t) => {
  const { code, stdout } = await call(t, () => listCommand({ only: 'CBI-WITNESSES' }))
  t.equal(code, 0)
  t.match(stdout, 'CBI-WITNESSES/signatory  [contract-by-id, read]  CBI-WITNESS-PARTIES\n')
  t.match(stdout, '4 rows, 1 case\n')
})

t.test('list searches titles, and rules their statements, and both print JSON and CSV', async (t) => {
  const rows = await call(t, () => listCommand({ only: 'TWENTY other', csv: true }))
  t.match(rows.stdout, /^id,case,operation,impact,needs,rules,title\r\nSAW-REMEMBERED-BESIDE-OTHERS\/only,[^\n]*\n$/)
  const suite = await writeLookupSuite(t.testdir())
  const file = join(suite, 'rules/general.yaml')
  await writeFile(
    file,
    (await readFile(file, 'utf8')).replace('Clients are kind.', `'Clients send "please", and wait.'`),
  )
  const rules = await call(t, () => listRulesCommand({ suite, only: 'found BY its', json: true }))
  t.match(JSON.parse(rules.stdout), [{ id: 'LOOK-FOUND', strength: 'must', cases: ['LOOK-KNOWN'] }])
  const quoted = await call(t, () => listRulesCommand({ suite, only: 'LOOK-CLIENT', csv: true }))
  t.match(quoted.stdout, ',"Clients send ""please"", and wait.",')
  const both = await call(t, () => listRulesCommand({ suite, json: true, csv: true }))
  t.match(both, { code: 2, stderr: 'json: choose either --json or --csv\n' })
  t.match(await call(t, () => listCommand({ only: 'no such title' })), {
    code: 2,
    stderr: /^no row, operation or rule matches/,
  })
})

t.test('list rules prints the cases of each rule, and reports an outdated page', async (t) => {
  const { code, stdout } = await call(t, () => listRulesCommand({ only: 'CBI-WITNESS-PARTIES' }))
  t.equal(code, 0)
  t.match(
    stdout,
    /^CBI-WITNESS-PARTIES {2}\[must, CreatedEvent\] {2}\S.*\n {4}CreatedEvent 6\.21 \(rule 2\)\n {4}contract-by-id: \d+ rows in .*\bCBI-WITNESSES\b.*\n/,
  )
  t.match(stdout, '\n1 rule, 1 testable, 0 gaps')
  const folder = t.testdir()
  const suite = await writeLookupSuite(join(folder, 'suite'))
  const nothing = await call(t, () => listRulesCommand({ suite, only: 'NO-SUCH-RULE' }))
  t.equal(nothing.code, 2)
  t.equal(nothing.stderr, 'no rule, section, operation or statement matches "NO-SUCH-RULE"\n')
  // `npm run check:coverage` compares docs/coverage.md with the page of the suite.
  const { stdout: page } = await call(t, () => listRulesCommand({ suite, markdown: true }))
  await writeFile(join(folder, 'right.md'), page)
  await writeFile(join(folder, 'wrong.md'), page.replace('LOOK-KNOWN', 'LOOK-OTHER'))
  const right = await call(t, () => listRulesCommand({ suite, current: join(folder, 'right.md') }))
  t.equal(right.code, 0, 'the printed page is the current one')
  for (const [file, message] of [
    ['wrong.md', 'is not current'],
    ['none.md', 'cannot be read (ENOENT: no such file or folder)'],
  ] as const) {
    const { code, stderr } = await call(t, () => listRulesCommand({ suite, current: join(folder, file) }))
    t.equal(code, 2)
    t.equal(stderr, `${join(folder, file)} ${message}: run npm run docs:coverage\n`)
  }
})

t.test('an internal error is printed and does not end the simulator', async (t) => {
  // A signal causes the error, because no known request does.
  const fault = "process.on('SIGUSR2', () => { Promise.reject(new Error('thrown by a test')) })"
  process.env['NODE_OPTIONS'] = `--import=data:text/javascript,${encodeURIComponent(fault)}`
  const simulator = await simulate('--authorization', 'hs256:planted-secret').finally(() => {
    delete process.env['NODE_OPTIONS']
  })
  const ask = async () => (await fetch(`${simulator.url}/v2/version`)).status
  t.equal(await ask(), 200)
  simulator.signal('SIGUSR2')
  // The error is printed before a later request is answered.
  while (simulator.errorOutput() === '') t.equal(await ask(), 200)
  t.match(simulator.errorOutput(), /^simulator: internal error: Error: thrown by a test\n {4}at /)
  t.notMatch(simulator.errorOutput(), 'planted-secret')
  t.equal(await ask(), 200)
  t.equal(await simulator.stop(), 0)
})

t.test('the simulator prints one line, and ends after SIGTERM', async (t) => {
  const simulator = await simulate()
  t.match(await (await fetch(`${simulator.url}/v2/version`)).json(), { version: '3.5.10' })
  t.equal(await simulator.stop(), 0)
  t.equal(simulator.printed(), `${simulator.url}\n`)
})

t.test('an unavailable port is a usage error', async (t) => {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  t.teardown(() => server.close())
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const { code, stderr } = await conform('simulate', '--port', String(port))
  t.equal(code, 2)
  t.equal(stderr, `port: ${port} is in use; --port 0 selects a free port\n`)
  const beyond = await conform('simulate', '--port', '70000')
  t.match(beyond, { code: 2, stderr: 'port: expected a number from 0 to 65535, not 70000\n' })
})
