/** Declared facts of a target file, and their rows on conforming and other participants. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { findOverrides } from '../../../lab/find-overrides.js'
import type { JsonObject } from '../../../lib/json/json.js'
import type { RunRow } from '../../../record/types/record.js'
import { readSettings } from '../../../runner/target/read-settings.js'
import { readTargetFile } from '../../../runner/target/settings-layer.js'
import type { TargetAccess } from '../../../runner/target/target-file.js'
import { type SimulatorOptions, startSimulator } from '../../../simulator/simulator.js'
import { simulatorEnvironment } from '../../support/ledgers/simulator-environment.js'
import { judgedBy } from '../../support/records/judged-by.js'
import { presignTransactions } from '../../support/servers/presign-transactions.js'
import { inWords } from '../../support/words/in-words.js'

async function declaring(t: Test, claims: JsonObject): Promise<TargetAccess> {
  const file = join(t.testdir({}), 'target.yaml')
  await writeFile(file, JSON.stringify({ claims }))
  return readSettings([await readTargetFile(file, {})], {}, new Date()).access
}

async function participant(t: Test, options: SimulatorOptions = {}): Promise<string> {
  const simulator = await startSimulator(options)
  t.teardown(() => simulator.close())
  return simulator.url
}

t.test('a declared synchronizer without vetted packages is judged by its vetting', async (t) => {
  const verdictAt = async (options: SimulatorOptions): Promise<string | undefined> => {
    const { url, synchronizers } = await simulatorEnvironment(t, { synchronizers: 2, ...options })
    const access = await declaring(t, { 'unvetted-synchronizer': synchronizers[1] ?? '' })
    const [row] = await judgedBy(url, { profile: 'interface', only: 'VET-NO-PAST', access })
    return row?.verdict
  }
  t.equal(await verdictAt({ overrides: findOverrides({ mutant: 'past-state-omitted' }) }), 'pass')
  t.equal(await verdictAt({}), 'fail', 'it has vetted packages')
})

t.test('a declared limit of tapsMaxPasses is judged at and above the limit', async (t) => {
  const verdictsAt = async (options: SimulatorOptions, profile: 'canton-3.5' | 'interface') => {
    const url = await participant(t, options)
    const access = await declaring(t, { 'taps-limit': 4 })
    const rows = await judgedBy(url, { profile, only: 'SAW-TAPS-DECLARED', access })
    return rows.map(({ id, verdict }) => `${id} ${verdict}`).toSorted()
  }
  const [above, at] = ['SAW-TAPS-DECLARED/one-above', 'SAW-TAPS-DECLARED/at-the-limit']
  t.strictSame(await verdictsAt({ behaviour: 'interface' }, 'interface'), [`${at} pass`, `${above} pass`])
  t.strictSame(await verdictsAt({}, 'interface'), [`${at} pass`, `${above} fail`], 'it lowers a larger value')
  t.strictSame(await verdictsAt({}, 'canton-3.5'), [`${at} pass`, `${above} pass`], 'as the reference does')
})

t.test('a declared execution of an unhosted party returns no events', async (t) => {
  const found = async (options: SimulatorOptions) => {
    const url = await participant(t, options)
    const { party, transactions } = await presignTransactions(url, ['mark-0001'])
    const [signed] = transactions
    if (!signed) throw new Error('nothing was signed')
    const { preparedTransaction, hashingSchemeVersion, signature } = signed
    const partySignatures = { signatures: [{ party, signatures: [signature] }] }
    const execution = { preparedTransaction, partySignatures, hashingSchemeVersion }
    const access = await declaring(t, { 'unhosted-execution': execution })
    const [first] = await judgedBy(url, { profile: 'interface', only: 'EWT-UNHOSTED', access })
    const [second] = await judgedBy(url, { profile: 'canton-3.5', only: 'EWT-UNHOSTED', access })
    const rules = (row: RunRow | undefined): string[] => [...new Set(row?.judgements.flatMap((one) => one.rules))]
    return [first, second].map((row) => [row?.verdict, rules(row).includes('EXE-FORMAT-UNHOSTED')])
  }
  const withoutEvents = [
    ['pass', true],
    ['pass', false],
  ]
  t.strictSame(
    await found({ overrides: findOverrides({ mutant: 'executed-events-empty' }) }),
    withoutEvents,
    'the second execution is a duplicate',
  )
  t.match(await found({}), [['fail', true]], 'the participant hosts the party and shows its events')
})

t.test('without declared facts the rows do not apply, and their reason names the setting', async (t) => {
  const url = await participant(t)
  for (const [only, reason] of [
    [
      'VET-NO-PAST',
      /^the value of unvettedSynchronizerId is unknown: add claims: unvetted-synchronizer to a target file$/,
    ],
    ['SAW-TAPS-DECLARED', /^the value of tapsLimit is unknown: add claims: taps-limit to a target file$/],
    ['EWT-UNHOSTED', /add claims: unhosted-execution to a target file$/],
  ] as const) {
    const rows = await judgedBy(url, { profile: 'interface', only })
    t.ok(rows.length > 0 && rows.every(({ verdict }) => verdict === 'not-applicable'), only)
    for (const row of rows) t.match(inWords(row.reason), reason)
  }
})
