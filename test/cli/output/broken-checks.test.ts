/** Skipping the check of a rule in the simulator fails rows of this rule, and no others. `npm run prove` performs all rows. */
import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { conformanceModel } from '../../../cli/tool/conformance-model.js'
import { performAt } from '../../../lab/environment.js'
import { mutants } from '../../../lab/mutants/catalogue.js'
import type { Circumstances } from '../../../lab/mutants/mutant.js'
import { evenly } from '../../../lab/sample.js'
import { type Snapshot, Snapshots } from '../../../lab/snapshots.js'
import type { RunRow } from '../../../record/types/record.js'
import type { ResolvedRow } from '../../../record/types/resolved-row.js'
import { loadSuite } from '../../../runner/load/load-suite.js'
import { alternativesOf } from '../../../runner/plan/cost.js'
import { rulesOfRow } from '../../../runner/plan/select.js'
import { resolveSuite } from '../../../runner/resolve/resolve-suite.js'
import type { Suite } from '../../../runner/suite/suite.js'
import { enforcedRules } from '../../../simulator/base/checks.js'
import { inWords } from '../../support/words/in-words.js'

/** Slow cases; none of them alone cites one of these rules. */
const slow = /^SAW-(?:MIN-TIME-.*|WINDOW-OVER|REMEMBERED|LARGE|RACE-.*)$/

/** The suite without slow cases and without probes after rows: a wrongly accepted request fails without them. */
async function quickSuite(): Promise<Suite> {
  const suite = await loadSuite(fileURLToPath(new URL('../../../../suites/', import.meta.url)))
  const cases = suite.cases.filter(({ id }) => !slow.test(id)).map(({ afterwards: _, ...rest }) => rest)
  return { ...suite, cases }
}

const whole = await quickSuite()
const profile = whole.profiles.get('canton-3.5')
if (!profile) throw new Error('the suite has no profile canton-3.5')
const resolved = resolveSuite(whole, profile).rows

/** Approximate number of rows for a rule, at least one of each case. */
const enough = 20
/** One of this number of unrelated rows runs for a rule; different ones for each rule. */
const oneIn = 200

const isSampled = (rule: string, id: string): boolean =>
  createHash('sha256').update(`${rule} ${id}`).digest().readUInt16BE() % oneIn === 0

const rulesById = new Map(resolved.map((row) => [row.id, new Set(rulesOfRow(row))]))

const cites = ({ id }: Pick<ResolvedRow, 'id'>, rule: string): boolean => rulesById.get(id)?.has(rule) === true

/** Ids of some rows that cite the rule, and of some unrelated rows of the same operations. */
function rowsFor(rule: string): string[] {
  const citing = resolved.filter((row) => cites(row, rule))
  const operations = new Set(citing.map(({ operation }) => operation))
  const unrelated = resolved.filter(
    (row) => operations.has(row.operation) && !cites(row, rule) && isSampled(rule, row.id),
  )
  const cases = [...new Set(citing.map((row) => row.case))]
  const ofEach = Math.ceil(enough / cases.length)
  const some = cases.flatMap((id) => evenly(citing.filter((row) => row.case === id), ofEach)) // biome-ignore format: one line
  return [...some, ...unrelated].map(({ id }) => id)
}

/** The participants that have an optional check, by the mutant that skips it. */
const where = new Map(mutants.flatMap((one) => (one.without ?? []).map((rule) => [rule, one.where])))
const enforcedAlso: Readonly<Record<string, Circumstances[]>> = { 'VET-DEPENDENCIES': [{ behaviour: 'interface' }] }

// From the simulator, so that a new check is included.
const checks = enforcedRules()
const rowsByRule = new Map(checks.map((rule) => [rule, new Set(rowsFor(rule))]))
const sampled = new Set([...rowsByRule.values()].flatMap((ids) => [...ids]))

const suite: Suite = {
  ...whole,
  cases: whole.cases.flatMap((one) => {
    const rows = one.rows.filter(({ id }) => sampled.has(`${one.id}/${id}`))
    return rows.length > 0 ? [{ ...one, rows }] : []
  }),
}
const snapshots = new Snapshots({ suite, model: conformanceModel })

async function performed({ environment, start }: Snapshot, rule: string, without = [rule]): Promise<RunRow[]> {
  // These rows have no late effects.
  const hasty = { ...environment, options: { ...environment.options, lateDelay: 0 } }
  const { url, close } = await start({ without })
  const ended: RunRow[] = []
  try {
    await performAt(
      hasty,
      url,
      ({ id }) => rowsByRule.get(rule)?.has(id) === true,
      (row) => void ended.push(row),
    )
  } finally {
    await close()
  }
  return ended
}

/**
 * Without the check of a permission, a row is not applicable. Without the check of a divergence, the participant follows the text.
 */
function expectedVerdicts(rule: string, profile: string): string[] {
  if (suite.rules.get(rule)?.strength === 'may') return ['not-applicable']
  const isDiverging = suite.profiles.get(profile)?.divergences.some((divergence) => divergence.rule === rule)
  return isDiverging ? ['fail', 'follows-the-text'] : ['fail']
}

/** Rules whose check also depends on another check: without checked rights, no token is needed. */
const alsoBroken: Readonly<Record<string, string>> = { 'AUTH-ACT-AS': 'AUTH-HEADER-REQUIRED' }

function expectDetected(t: Test, rule: string, rows: readonly RunRow[], { behaviour }: Circumstances): void {
  const expected = expectedVerdicts(rule, behaviour ?? 'canton-3.5')
  t.ok(
    rows.some(({ verdict, resolved }) => expected.includes(verdict) && cites(resolved, rule)),
    `${rule}: ${expected.join(' or ')}`,
  )
  const others = [rule, alsoBroken[rule] ?? rule]
  const unrelated = rows.filter(
    ({ verdict, resolved }) => verdict !== 'pass' && !others.some((other) => cites(resolved, other)),
  )
  t.strictSame(
    unrelated.map(({ id, verdict, reason }) => `${id}: ${verdict}: ${inWords(reason)}`),
    [],
    `${rule}: no other row fails`,
  )
}

/** Optional rejections that the reference does not use: both outcomes pass. */
const isFreedom = (rule: string): boolean =>
  resolved
    .filter((row) => cites(row, rule))
    .every(({ steps }) =>
      alternativesOf(steps.find(({ role }) => role === 'act')).every(({ outcome }) => outcome === 'accepted'),
    )

const freedoms = checks.filter((rule) => !where.get(rule) && isFreedom(rule))

t.test('skipping one check fails rows that cite its rule, and no others', async (t) => {
  // Every second one: each has its own simulator.
  const sampledChecks = checks.filter((rule, index) => index % 2 === 0 && !freedoms.includes(rule))
  for (const rule of sampledChecks) {
    for (const participant of [where.get(rule) ?? {}, ...(enforcedAlso[rule] ?? [])]) {
      expectDetected(t, rule, await performed(await snapshots.of(participant), rule), participant)
    }
  }
})

t.test('the record states whether a participant uses a freedom, and both outcomes pass', async (t) => {
  const original = await snapshots.of({ behaviour: 'interface' })
  t.ok(freedoms.length > 0)
  for (const rule of freedoms) {
    const situationsOf = async (without: string[]): Promise<string[]> => {
      const rows = (await performed(original, rule, without)).filter((row) => cites(row.resolved, rule))
      t.ok(rows.length > 0 && rows.every(({ verdict }) => verdict === 'pass'), rule)
      return rows.flatMap(({ judgements }) =>
        judgements.flatMap(({ role, situation }) => (role === 'act' && situation) || []),
      )
    }
    const [used, left] = [await situationsOf([]), await situationsOf([rule])]
    t.ok(used.length > 0 && used.every((situation) => situation.endsWith('(refused)')), rule)
    t.ok(left.length > 0 && left.every((situation) => situation.endsWith('(accepted)')), rule)
  }
})
