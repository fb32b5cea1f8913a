/** What a target file claims to be there, and what rows about it find at participants that keep the rule and that do not. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { isJsonObject, type JsonObject, type JsonValue } from '../interface/json.js'
import type { RunRow } from '../record/record.js'
import { readSettings } from '../runner/target/read-settings.js'
import { readTargetFile } from '../runner/target/settings-layer.js'
import type { TargetAccess } from '../runner/target/target-file.js'
import { alteringAnswers } from './participants/alterations.js'
import { judgedBy } from './participants/judged-by.js'
import { type Lie, lyingParticipant } from './participants/stage.js'
import { signedElsewhere } from './signed-elsewhere.js'
import { worldOf } from './simulator-world.js'

async function claiming(t: Test, claims: JsonObject): Promise<TargetAccess> {
  const file = join(t.testdir({}), 'target.yaml')
  await writeFile(file, JSON.stringify({ claims }))
  return readSettings([await readTargetFile(file, {})], {}, new Date()).access
}

const participant = (tell: Lie['tell']): Lie => ({ name: 'claimed', sentence: 'As it is claimed.', rules: [], tell })
const plain = participant(({ ask }) => ask)

/** The answers of an operation, with a member of each set. */
const setting = (
  operation: Parameters<typeof alteringAnswers>[0][number],
  name: string,
  change: (value: JsonObject) => JsonValue,
) =>
  participant(
    alteringAnswers([operation], (answer) =>
      isJsonObject(answer) && isJsonObject(answer[name]) ? { ...answer, [name]: change(answer[name]) } : answer,
    ),
  )

const noPast = setting('update-package-vetting', 'pastVettedPackages', (state) => ({ ...state, packages: [] }))
const nothing = setting('update-package-vetting', 'pastVettedPackages', () => null)

t.test('a synchronizer on which nothing was ever vetted', async (t) => {
  const verdictsAt = async (lie: Lie): Promise<string[]> => {
    const { url } = await lyingParticipant(t, lie, { synchronizers: 2 })
    const { synchronizers } = await worldOf(t, { url, close: () => Promise.resolve() })
    const access = await claiming(t, { 'unvetted-synchronizer': synchronizers[1] ?? '' })
    const rows = await judgedBy(url, { profile: 'interface', only: 'VET-NO-PAST', access })
    return rows.map(({ verdict }) => verdict)
  }
  t.strictSame(await verdictsAt(noPast), ['pass'])
  t.strictSame(await verdictsAt(nothing), ['pass'])
  t.strictSame(await verdictsAt(plain), ['fail'], 'something is vetted there, and told')
})

const unseen = setting('execute-and-wait-for-transaction', 'transaction', (transaction) => ({
  ...transaction,
  events: [],
}))

t.test('a party that is hosted elsewhere', async (t) => {
  const found = async (lie: Lie) => {
    const { url } = await lyingParticipant(t, lie)
    const { party, transactions } = await signedElsewhere(url, ['mark-0001'])
    const [signed] = transactions
    if (!signed) throw new Error('nothing was signed')
    const { preparedTransaction, hashingSchemeVersion, signature } = signed
    const partySignatures = { signatures: [{ party, signatures: [signature] }] }
    const access = await claiming(t, {
      'unhosted-execution': { preparedTransaction, partySignatures, hashingSchemeVersion },
    })
    const [first] = await judgedBy(url, { profile: 'interface', only: 'EWT-UNHOSTED', access })
    const [second] = await judgedBy(url, { profile: 'canton-3.5', only: 'EWT-UNHOSTED', access })
    const rules = (row: RunRow | undefined): string[] => [...new Set(row?.judgements.flatMap((one) => one.rules))]
    return [first, second].map((row) => [row?.verdict, rules(row).includes('EXE-FORMAT-UNHOSTED')])
  }
  t.strictSame(
    await found(unseen),
    [
      ['pass', true],
      ['pass', false],
    ],
    'the second time it shows nothing',
  )
  t.strictSame(await found(plain), [
    ['fail', true],
    ['pass', false],
  ])
})

t.test('where nothing is claimed the rows do not apply, and say what would open them', async (t) => {
  const { url } = await lyingParticipant(t, plain)
  for (const [only, reason] of [
    ['VET-NO-PAST', /unvettedSynchronizerId: claims: unvetted-synchronizer in a target file would/],
    ['EWT-UNHOSTED', /claims: unhosted-execution in a target file would/],
  ] as const) {
    await t.rejects(judgedBy(url, { profile: 'interface', only }), { message: reason })
  }
})
