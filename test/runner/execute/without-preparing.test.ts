/** Runs on participants without `prepare`: with presigned and with recorded transactions. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { supportOperations } from '../../../interface/operations.js'
import type { RunRow } from '../../../record/types/record.js'
import { rulesOfRow } from '../../../runner/plan/select.js'
import { run } from '../../../runner/run/run.js'
import type { Suite } from '../../../runner/suite/suite.js'
import { readSettings } from '../../../runner/target/read-settings.js'
import { readTargetFile } from '../../../runner/target/settings-layer.js'
import { type SimulatorOptions, startSimulator } from '../../../simulator/simulator.js'
import { conform } from '../../support/processes/conform-process.js'
import { vectors } from '../../support/replay/recorded-vectors.js'
import { recordingGateway, type SeenRequest } from '../../support/servers/gateways.js'
import { presignTransactions } from '../../support/servers/presign-transactions.js'
import { readTarget } from '../../support/suites/plain-target.js'
import { profileNamed, suiteOf, wholeSuite } from '../../support/suites/whole-suite.js'
import { type InWords, rowInWords } from '../../support/words/in-words.js'

/** `CASE` or `CASE/row`, without the prefix of an operation. */
const suiteWith = (...names: string[]): Suite =>
  suiteOf((id) => /^E(?:XE|WT)-/.test(id) && names.some((name) => `${id.slice(4)}/`.startsWith(`${name}/`)))

interface Limited {
  open: string
  url: string
  /** Requests for these operations at `url`. */
  count(): number
}

async function withoutPaths(t: Test, paths: readonly string[], options: SimulatorOptions = {}): Promise<Limited> {
  const simulator = await startSimulator(options)
  t.teardown(() => simulator.close())
  const isExcluded = ({ path }: SeenRequest): boolean => paths.includes(path)
  const { url, seen } = await recordingGateway(t, simulator.url, isExcluded, 404, '')
  return { open: simulator.url, url, count: () => seen.filter(isExcluded).length }
}

async function runOn(t: Test, url: string, suite: Suite, file: object): Promise<Map<string, InWords<RunRow>>> {
  const folder = t.testdir({ 'target.yaml': JSON.stringify(file) })
  const rows = new Map<string, InWords<RunRow>>()
  const layer = await readTargetFile(join(folder, 'target.yaml'), {})
  const { access, run: settings } = readSettings([layer], {}, new Date())
  const tool = { name: 'test', version: '0' }
  const recordFile = join(folder, 'run.ndjson')
  const target = readTarget(url, 'none')
  await run(
    {
      suite,
      profile: profileNamed('canton-3.5'),
      target,
      recordFile,
      tool,
      access,
      embedded: true,
      concurrency: 8,
      timeLimit: 30_000,
      lateDelay: 0,
      ...(settings.protocolVersion !== undefined && { protocolVersion: settings.protocolVersion }),
    },
    { planned: () => undefined, row: (row) => void rows.set(row.id, rowInWords(row)) },
  )
  return rows
}

const preparing = [supportOperations.prepare.path]
/** Controls execute two of them. */
const marksOf = (count: number): string[] => Array.from({ length: count }, (_, index) => `given-${index + 1000}`)
const marks = marksOf(8)

t.test('presigned transactions are executed, or rejected if a row alters them', async (t) => {
  const { open, url, count } = await withoutPaths(t, preparing)
  const presigned = [
    await presignTransactions(open, marksOf(20)),
    await presignTransactions(open, ['given-2000'], { kind: 'p256' }),
  ]
  const executed = [
    'SIGNED/ed25519',
    'BROKEN-SIGNATURE/last-bit',
    'BROKEN-SIGNATURE/p256-last-bit',
    'ALTERED/argument',
    'REPLAY/other-submission',
    'NO-USER/empty',
  ]
  // The answers of the first show the id and the command id; the profile permits both outcomes of the last.
  const shown = [
    'SHOWN-OTHERWISE/template',
    'SHOWN-OTHERWISE/verbose-false',
    'AGREES/only',
    'NO-FORMAT/without-filters',
  ]
  const unsent = ['OTHER-MESSAGE/other-bytes', 'SIGNED-AGAIN/other-argument', 'SIGNED/p384', 'SCHEME-V3/right']
  const suite = suiteWith(...executed, ...shown, ...unsent, 'SIGNED/p256')
  const rows = await runOn(t, url, suite, { unreachable: ['prepare'], presigned })
  t.equal(count(), 0, 'no request to prepare')
  const verdicts = (verdict: string): string[] =>
    [...rows.values()].flatMap((row) => (row.verdict === verdict ? [row.id] : []))
  t.strictSame(
    [...rows.values()].filter(({ verdict }) => verdict !== 'pass' && verdict !== 'not-applicable').map(({ id }) => id),
    [],
  )
  const passed = executed.flatMap((row) => [`EXE-${row}`, `EWT-${row}`])
  for (const id of [...passed, ...shown.map((row) => `EWT-${row}`)]) t.ok(verdicts('pass').includes(id), id)
  const reasons: [id: string, reason: RegExp][] = [
    ['EWT-OTHER-MESSAGE/other-bytes', /^the target file has no signature by the key 1220\w+… over these bytes$/],
    ['EWT-SIGNED-AGAIN/other-argument', /^the target file has no signature by the key 1220\w+… over these bytes$/],
    [
      'EWT-SIGNED/p384',
      /^the row needs a prepared transaction, but prepare is unreachable and no presigned transaction replaces it$/,
    ],
    ['EWT-SCHEME-V3/right', /^the row needs a prepared transaction, but prepare is unreachable/],
  ]
  for (const [id, reason] of reasons) {
    t.match(rows.get(id), { verdict: 'not-applicable', reason, evidence: [] })
  }
  const ofP256 = ['EXE', 'EWT'].map((operation) => rows.get(`${operation}-SIGNED/p256`))
  t.strictSame(ofP256.map((row) => row?.verdict).sort(), ['not-applicable', 'pass'], 'one transaction is executed once')
  t.match(
    ofP256.find((row) => row?.verdict === 'not-applicable')?.reason,
    /^all presigned transactions of given-p256::1220\w+ are used$/,
  )
  const used = [...rows.values()].filter(({ id, verdict }) => /SIGNED\/|REPLAY/.test(id) && verdict === 'pass')
  t.equal(new Set(used.map(({ variables }) => variables?.['row'])).size, used.length, 'one row for each transaction')
})

t.test('transactions of an earlier run are not used again', async (t) => {
  const { open, url } = await withoutPaths(t, preparing)
  const presigned = [await presignTransactions(open, marks)]
  const file = { unreachable: ['prepare'], presigned }
  const verdicts = async (): Promise<string[]> =>
    [...(await runOn(t, url, suiteWith('SIGNED', 'OUT-OF-TIME'), file)).values()]
      .filter(({ id }) => id.endsWith('/ed25519') || id.includes('OUT-OF-TIME'))
      .map(({ verdict }) => verdict)
  t.strictSame(await verdicts(), Array(6).fill('pass'))
  t.strictSame(await verdicts(), Array(6).fill('not-applicable'), 'two controls and six rows have used all eight')
})

t.test('presigned transactions are not used if the run cannot find which are unused', async (t) => {
  const { open, url } = await withoutPaths(t, [...preparing, supportOperations['active-contracts'].path])
  const presigned = [await presignTransactions(open, marks)]
  const rows = await runOn(t, url, suiteWith('SIGNED/ed25519'), { unreachable: ['prepare'], presigned })
  t.match(rows.get('EWT-SIGNED/ed25519'), { verdict: 'blocked', reason: /POST \/v2\/state\/active-contracts.*404/ })
})

t.test('a participant that accepts an invalid signature fails with presigned transactions, too', async (t) => {
  const { open, url } = await withoutPaths(t, preparing, { overrides: { without: ['EXE-SIGNATURE-VALID'] } })
  const presigned = [await presignTransactions(open, marks)]
  const rows = await runOn(t, url, suiteWith('BROKEN-SIGNATURE'), { unreachable: ['prepare'], presigned })
  const failed = [...rows.values()].filter(({ verdict }) => verdict === 'fail')
  t.equal(failed.length, marks.length - 2, 'one for each transaction that the controls did not execute')
  t.ok(failed.every(({ resolved }) => rulesOfRow(resolved).includes('EXE-SIGNATURE-VALID')))
})

for (const [protocolVersion, version] of [
  [34, ''],
  [35, '::35-0'],
] as const) {
  t.test(`rows with recorded transactions need no prepare, on protocol version ${protocolVersion}`, async (t) => {
    const { open, url, count } = await withoutPaths(t, preparing, { protocolVersion })
    const connected: unknown = await (await fetch(`${url}/v2/state/connected-synchronizers`)).json()
    const synchronizer = /"synchronizerId":"([^"]+)"/.exec(JSON.stringify(connected))?.[1] ?? ''
    const suite = suiteOf((id) =>
      /-RECORDED-(?:V\d\/\d+-create-(?:ping|note)|SIGNATURE\/(?:first-bit|empty)|UNTRUE\/)/.test(id),
    )
    const named = { unreachable: ['prepare'], synchronizer: `${synchronizer}${version}` }
    const file = { ...named, 'protocol-version': protocolVersion }
    const unsigned = [...(await runOn(t, url, suite, file)).values()]
    t.ok(
      unsigned.every(({ verdict }) => verdict === 'not-applicable' || verdict === 'blocked'),
      'without transactions for the controls',
    )
    const presigned = [await presignTransactions(open, marks.slice(0, 2))]
    const rows = [...(await runOn(t, url, suite, { ...file, presigned })).values()]
    t.equal(count(), 0)
    const third = rows.filter(({ resolved }) => resolved.case.endsWith('-V3'))
    t.ok(third.every(({ verdict }) => verdict === (protocolVersion === 35 ? 'pass' : 'not-applicable')))
    t.ok(rows.every((row) => row.verdict === 'pass' || third.includes(row)))
  })
}

t.test('the recorded transactions of the suite are those of the recordings', (t) => {
  const inSuite = [...wholeSuite.fixtures.values()].flatMap(({ prepared }) => prepared ?? [])
  const made = vectors.map(({ preparedTransaction, preparedTransactionHash }) => ({
    transaction: preparedTransaction,
    hash: preparedTransactionHash,
  }))
  t.strictSame(inSuite, made)
  t.end()
})

t.test(
  'without a synchronizer no recorded transaction is sent; with a contradictory one the run cannot start',
  async (t) => {
    const { open, url } = await withoutPaths(t, preparing, { seed: 'same' })
    const suite = suiteWith('RECORDED-UNTRUE')
    const connected: unknown = await (await fetch(`${url}/v2/state/connected-synchronizers`)).json()
    const bare = /"synchronizerId":"([^"]+)"/.exec(JSON.stringify(connected))?.[1] ?? ''
    const presigned = [await presignTransactions(open, marks)]
    const elsewhere = await startSimulator({ seed: 'same' })
    t.teardown(() => elsewhere.close())
    const foreign = await presignTransactions(elsewhere.url, marks)
    const contradictions: [file: object, message: RegExp][] = [
      [
        { synchronizer: 'other::1220ab::35-0' },
        /^the target file names the synchronizer other::1220ab::35-0, but the target is connected to/,
      ],
      [
        { synchronizer: bare, presigned },
        /^the target file names two synchronizers, .*::35-0 and .*\. Use transactions of one synchronizer\.$/,
      ],
      [
        { synchronizer: bare, 'protocol-version': 35 },
        /^transactions of protocol version 35 cannot name the synchronizer/,
      ],
      [{ synchronizer: `${bare}::35-0`, 'protocol-version': 34 }, /^transactions of protocol version 34 cannot name/],
      [{ synchronizer: `${bare}::35-0`, 'protocol-version': 99 }, /^transactions of protocol version 99 cannot name/],
      [
        { presigned: [foreign] },
        /^the target file has presigned transactions of given-ed25519::1220\w+, but the target does not know this party$/,
      ],
    ]
    for (const [file, message] of contradictions)
      await t.rejects(runOn(t, url, suite, { unreachable: ['prepare'], ...file }), { name: 'TargetError', message })
    t.notMatch(await (await fetch(`${url}/v2/parties`)).text(), 'alice', 'no party was created')
    const left = [...(await runOn(t, url, suite, { unreachable: ['prepare'], 'protocol-version': 35 })).values()]
    t.ok(left.every(({ evidence, verdict }) => verdict === 'not-applicable' && evidence.length === 0))
  },
)

const onboarding = ['generate-external-topology', 'allocate-external-party'] as const

t.test('presigned parties suffice for their rows if the run cannot create parties', async (t) => {
  const { open, url, count } = await withoutPaths(t, [
    ...preparing,
    ...onboarding.map((name) => supportOperations[name].path),
  ])
  const presigned = [await presignTransactions(open, marks)]
  const rows = await runOn(t, url, suiteWith('SIGNED/ed25519', 'ALTERED/argument', 'ALTERED/acting-party-added'), {
    unreachable: ['prepare', ...onboarding],
    presigned,
  })
  t.equal(count(), 0)
  t.match(rows.get('EWT-SIGNED/ed25519'), { verdict: 'pass' })
  t.match(rows.get('EWT-ALTERED/argument'), { verdict: 'pass' })
  t.match(rows.get('EWT-ALTERED/acting-party-added'), {
    verdict: 'not-applicable',
    reason: 'the external party pat cannot be created, and the target file has no presigned transactions of it',
  })
})

t.test('the reason of a row names an operation that the settings exclude', async (t) => {
  const { url } = await withoutPaths(t, preparing)
  const file = { unreachable: ['prepare', ...onboarding], 'protocol-version': 35 }
  const rows = await runOn(
    t,
    url,
    suiteOf((id) => /^(?:EWT-SIGNED|CBI-WITNESSES)\//.test(id)),
    file,
  )
  t.match(rows.get('EWT-SIGNED/p256'), {
    verdict: 'not-applicable',
    reason: /lacks the capability external-parties: the settings mark generate-external-topology as unreachable/,
  })
})

t.test('the command accepts a target file, and the report repeats a row with it', async (t) => {
  const simulator = await startSimulator({ overrides: { without: ['EXE-SIGNATURE-VALID'] } })
  t.teardown(() => simulator.close())
  const presigned = [await presignTransactions(simulator.url, marks)]
  const file = { target: simulator.url, unreachable: ['prepare'], presigned }
  const folder = t.testdir({ 'target.json': JSON.stringify(file), 'wrong.yaml': 'unreachable: [prepre]\n' })
  const config = join(folder, 'target.json')
  const { code, stdout } = await conform(
    'run',
    '--config',
    config,
    '--only',
    'EWT-BROKEN-SIGNATURE/last-bit',
    '--out',
    folder,
  )
  t.equal(code, 1)
  const [, settings = ''] = /conform run --only EWT-BROKEN-SIGNATURE\/last-bit --settings (\S+)/.exec(stdout) ?? []
  t.match(await readFile(settings, 'utf8'), `config: ${config}`)
  const wrong = await conform('run', '--config', join(folder, 'wrong.yaml'), '--out', folder)
  t.equal(wrong.code, 2)
  t.match(wrong.stderr, /wrong\.yaml:1:15: error: unknown operation "prepre"[\s\S]*did you mean "prepare"\?/)
})
