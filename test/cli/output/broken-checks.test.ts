/** The suite is judged by breaking the simulator: leaving out the check of a rule must fail rows of that rule, and no others. */
import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { conformanceModel } from '../../../cli/target/conformance-model.js'
import { evenly } from '../../../proof/sample.js'
import { type Snapshot, Snapshots } from '../../../proof/snapshots.js'
import type { RunRow } from '../../../record/types/record.js'
import type { ResolvedRow } from '../../../record/types/resolved-row.js'
import { loadSuite } from '../../../runner/load/load-suite.js'
import { alternativesOf } from '../../../runner/plan/outcomes.js'
import { rulesOfRow } from '../../../runner/plan/select.js'
import { resolveSuite } from '../../../runner/resolve/resolve-suite.js'
import { performAt } from '../../../runner/run/environment.js'
import type { Suite } from '../../../runner/suite/suite.js'
import { enforcedRules } from '../../../simulator/base/checks.js'
import { allMutants, type Circumstances } from '../../../simulator/simulator.js'

/** Cases that wait, or send a lot: they cost seconds and cite none of these rules alone. */
const slow = /^SAW-(?:MIN-TIME-.*|WINDOW-OVER|REMEMBERED|LARGE|RACE-.*)$/

/** The suite without them, and without looking around refused rows: what is accepted in their place fails by that alone. */
async function quickSuite(): Promise<Suite> {
  const suite = await loadSuite(fileURLToPath(new URL('../../../../suites/', import.meta.url)))
  const cases = suite.cases.filter(({ id }) => !slow.test(id)).map(({ afterwards: _, ...rest }) => rest)
  return { ...suite, cases }
}

const whole = await quickSuite()
const profile = whole.profiles.get('canton-3.5')
if (!profile) throw new Error('the suite has no profile canton-3.5')
const resolved = resolveSuite(whole, profile).rows

/** Of the rows that cite a rule about so many, of each case one at least. */
const enough = 20
/** One stranger in so many is asked whether it minds; another one for each rule, so that in all many are. */
const oneIn = 40

const isAsked = (rule: string, id: string): boolean =>
  createHash('sha256').update(`${rule} ${id}`).digest().readUInt16BE() % oneIn === 0

const cites = (row: ResolvedRow, rule: string): boolean => rulesOfRow(row).includes(rule)

/** Ids of some rows that cite the rule, and of some that do not: of the same operations, or where none cites it of all. */
function rowsAround(rule: string): string[] {
  const citing = resolved.filter((row) => cites(row, rule))
  const operations = new Set((citing.length > 0 ? citing : resolved).map(({ operation }) => operation))
  const strangers = resolved.filter(
    (row) => operations.has(row.operation) && isAsked(rule, row.id) && !citing.includes(row),
  )
  const cases = [...new Set(citing.map((row) => row.case))]
  const ofEach = Math.ceil(enough / cases.length)
  const some = cases.flatMap((id) => evenly(citing.filter((row) => row.case === id), ofEach)) // biome-ignore format: one line
  return [...some, ...strangers].map(({ id }) => id)
}

/** Where a check is made that only some participants make, the mutant that leaves it out says; elsewhere it is not looked for. */
const where = new Map((await allMutants()).flatMap((one) => (one.without ?? []).map((rule) => [rule, one.where])))
const enforcedAlso: Readonly<Record<string, Circumstances[]>> = { 'VET-DEPENDENCIES': [{ behaviour: 'interface' }] }

// As the simulator says itself: a check that is added is left out here as well.
const checks = enforcedRules()
const noCheck = 'NO-SUCH-RULE'
const around = new Map([...checks, noCheck].map((rule) => [rule, new Set(rowsAround(rule))]))
const asked = new Set([...around.values()].flatMap((ids) => [...ids]))

const suite: Suite = {
  ...whole,
  cases: whole.cases.flatMap((one) => {
    const rows = one.rows.filter(({ id }) => asked.has(`${one.id}/${id}`))
    return rows.length > 0 ? [{ ...one, rows }] : []
  }),
}
const snapshots = new Snapshots({ suite, model: conformanceModel })

/** The rows around the rule, at a participant that does not check it. */
async function performed({ environment, start }: Snapshot, rule: string, without = [rule]): Promise<RunRow[]> {
  // Nothing that was let through here shows late.
  const hasty = { ...environment, options: { ...environment.options, lateDelay: 0 } }
  const { url, close } = await start({ without })
  const ended: RunRow[] = []
  try {
    await performAt(
      hasty,
      url,
      ({ id }) => around.get(rule)?.has(id) === true,
      (row) => void ended.push(row),
    )
  } finally {
    await close()
  }
  return ended
}

/**
 * A rule that only permits makes a row not applicable where no use is made of it; and without a check that the text does not know a
 * participant follows the text.
 */
function tellingVerdicts(rule: string, profile: string): string[] {
  if (suite.rules.get(rule)?.strength === 'may') return ['not-applicable']
  const isDiverging = suite.profiles.get(profile)?.divergences.some((divergence) => divergence.rule === rule)
  return isDiverging ? ['fail', 'follows-the-text'] : ['fail']
}

/** Who is not asked what he may do is not asked who he is. */
const alsoBroken: Readonly<Record<string, string>> = { 'AUTH-ACT-AS': 'AUTH-HEADER-REQUIRED' }

function expectNoticed(t: Test, rule: string, rows: readonly RunRow[], { behaviour }: Circumstances): void {
  const telling = tellingVerdicts(rule, behaviour ?? 'canton-3.5')
  t.ok(
    rows.some(({ verdict, resolved }) => telling.includes(verdict) && cites(resolved, rule)),
    `${rule}: ${telling.join(' or ')}`,
  )
  const others = [rule, alsoBroken[rule] ?? rule]
  const strangers = rows.filter(
    ({ verdict, resolved }) => verdict !== 'pass' && !others.some((other) => cites(resolved, other)),
  )
  t.strictSame(
    strangers.map(({ id, verdict, reason }) => `${id}: ${verdict}: ${reason}`),
    [],
    `${rule}: nothing else minds`,
  )
}

/** What a participant may refuse, and the reference does not: whether it does is seen, and breaks nothing. */
const isFreedom = (rule: string): boolean =>
  resolved
    .filter((row) => cites(row, rule))
    .every(({ steps }) =>
      alternativesOf(steps.find(({ role }) => role === 'act')).every(({ outcome }) => outcome === 'accepted'),
    )

const freedoms = checks.filter((rule) => !where.get(rule) && isFreedom(rule))

t.test('leaving out one check fails rows that cite its rule, and only those', async (t) => {
  for (const rule of checks.filter((rule) => !freedoms.includes(rule))) {
    for (const participant of [where.get(rule) ?? {}, ...(enforcedAlso[rule] ?? [])]) {
      expectNoticed(t, rule, await performed(await snapshots.of(participant), rule), participant)
    }
  }
})

t.test('whether a participant makes use of a freedom is told, and is right either way', async (t) => {
  const snapshot = await snapshots.of({ behaviour: 'interface' })
  t.ok(freedoms.length > 0)
  for (const rule of freedoms) {
    const told = async (without: string[]): Promise<string[]> => {
      const rows = (await performed(snapshot, rule, without)).filter((row) => cites(row.resolved, rule))
      t.ok(rows.length > 0 && rows.every(({ verdict }) => verdict === 'pass'), rule)
      return rows.flatMap(({ judgements }) =>
        judgements.flatMap(({ role, situation }) => (role === 'act' && situation) || []),
      )
    }
    const [used, left] = [await told([]), await told([rule])]
    t.ok(used.length > 0 && used.every((situation) => situation.endsWith('(refused)')), rule)
    t.ok(left.length > 0 && left.every((situation) => situation.endsWith('(accepted)')), rule)
  }
})

t.test('with every check in place none of these rows fails', async (t) => {
  const rows = await performed(await snapshots.of(), noCheck)
  t.ok(rows.length > 20, `${rows.length} rows`)
  t.strictSame([...new Set(rows.map(({ verdict }) => verdict))], ['pass'])
})
