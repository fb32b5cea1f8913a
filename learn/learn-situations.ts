/** Situations in which a participant consistently differs from its base profile. */
import { groupBy } from '../lib/group-by.js'
import type { Profile, SituationFact, Suite } from '../runner/suite/suite.js'
import type { Observation, ObservedAnswer } from './observations.js'

export interface LearnedSituation {
  situation: string
  /** Several if the base profile has several, as of a race. */
  answers: readonly [ObservedAnswer, ...ObservedAnswer[]]
  /** Of the base profile, in a race that also had its answers. */
  race?: SituationFact
  /** The recorded divergence of the base profile, in another form. */
  divergence?: string
  rows: string[]
}

/** Rows whose answers differ from the base profile, in a situation whose rows disagree. */
export interface LearnedRows {
  situation: string
  /** Of the base profile; undefined: it rejects such requests. */
  fact: SituationFact | undefined
  rows: { row: string; answer: ObservedAnswer }[]
}

export interface InconsistentSituation {
  situation: string
  /** By description of the answer; the first ones are expected by the base profile. */
  answers: { answer: string; isExpected: boolean; rows: string[] }[]
}

export interface LearnedSituations {
  learned: LearnedSituation[]
  byRow: LearnedRows[]
  inconsistent: InconsistentSituation[]
  /** Answers that neither the base profile nor the text permits. */
  violations: Observation[]
}

/** `base`: the facts of the base profile. `byRow`: also learn the answer of each row where the rows disagree. */
export function learnSituations(
  observations: readonly Observation[],
  { situations }: Suite,
  { base, byRow }: { base: Profile['situations']; byRow: boolean },
): LearnedSituations {
  const result: LearnedSituations = { learned: [], byRow: [], inconsistent: [], violations: [] }
  for (const situation of situations.keys()) {
    const all = observations.filter((one) => one.situation === situation)
    const fact = base.get(situation)
    const differing = all.filter(({ isExpected }) => !isExpected)
    const known = differing.filter(({ isPermitted, answer }) => isPermitted || diverges(fact, answer))
    result.violations.push(...differing.filter((one) => !known.includes(one)))
    if (known.length === 0) continue
    const race = known.length < all.length && severalIn(fact, 'refused') ? fact : undefined
    const answers = race || known.length === all.length ? agreedAnswers(known, fact) : undefined
    const isPermitted = known.every((one) => one.isPermitted)
    const divergence = !isPermitted && fact?.divergence !== undefined && { divergence: fact.divergence }
    const rows = (byRow || fact?.byRow) && isPermitted ? answersByRow(all, fact) : undefined
    if (answers) result.learned.push({ situation, answers, ...(race && { race }), ...divergence, rows: rowsOf(known) })
    else if (rows) result.byRow.push({ situation, fact, rows })
    else result.inconsistent.push({ situation, answers: byAnswer(all) })
  }
  return result
}

const severalIn = (fact: SituationFact | undefined, wanted?: 'refused'): boolean =>
  (fact?.alternatives ?? []).filter(({ outcome }) => wanted === undefined || outcome === wanted).length > 1

/** Whether the answer is the recorded divergence with other properties. */
const diverges = (fact: SituationFact | undefined, { outcome, status }: ObservedAnswer): boolean =>
  fact?.divergence !== undefined &&
  fact.alternatives.some(
    (one) => one.outcome === outcome && (status < 500 || one.status?.some((text) => text.startsWith('5'))),
  )

/** One answer, or those of a race. Without the code if only the codes differ, and the base profile has none. */
function agreedAnswers(
  observations: readonly Observation[],
  fact: SituationFact | undefined,
): LearnedSituation['answers'] | undefined {
  const [first, ...others] = distinct(observations.map(({ answer }) => answer))
  if (!first) return undefined
  if (others.length === 0 || severalIn(fact)) return [first, ...others]
  if (fact?.alternatives[0]?.code !== undefined) return undefined
  const [plain, ...otherForms] = distinct(observations.map(({ answer }) => withoutCode(answer)))
  return plain && otherForms.length === 0 ? [plain] : undefined
}

/** Undefined if a request under test has several answers, or another request differs. */
function answersByRow(all: readonly Observation[], fact: SituationFact | undefined): LearnedRows['rows'] | undefined {
  if (all.some(({ isUnderTest, isExpected }) => !isUnderTest && !isExpected)) return undefined
  const tested = all.filter(({ isUnderTest }) => isUnderTest)
  const rows = [...groupBy(tested, ({ row }) => row)].flatMap(([row, group]) => {
    if (group.every(({ isExpected }) => isExpected)) return []
    const [answer, ...others] = agreedAnswers(group, fact) ?? []
    return [{ row, answer: others.length === 0 ? answer : undefined }]
  })
  const whole = rows.flatMap(({ row, answer }) => (answer ? [{ row, answer }] : []))
  return whole.length === rows.length ? whole : undefined
}

const distinct = (answers: readonly ObservedAnswer[]): ObservedAnswer[] => [
  ...new Map(answers.map((answer) => [keyOf(answer), answer])).values(),
]

const withoutCode = ({ outcome, status, mediaType }: ObservedAnswer): ObservedAnswer => ({
  outcome,
  status,
  ...(mediaType !== undefined && { mediaType }),
})

const keyOf = ({ outcome, status, mediaType, ...rest }: ObservedAnswer): string =>
  JSON.stringify(outcome === 'accepted' ? [outcome] : [status, mediaType, rest])

export const rowsOf = (observations: readonly { row: string }[]): string[] => [
  ...new Set(observations.map(({ row }) => row)),
]

function byAnswer(all: readonly Observation[]): InconsistentSituation['answers'] {
  const groups = groupBy(all, ({ answer, isExpected }) => `${isExpected} ${describeAnswer(answer)}`)
  return [...groups.values()]
    .flatMap(([first, ...rest]) =>
      first
        ? [{ answer: describeAnswer(first.answer), isExpected: first.isExpected, rows: rowsOf([first, ...rest]) }]
        : [],
    )
    .toSorted((a, b) => Number(b.isExpected) - Number(a.isExpected))
}

/** Such as `400 INVALID_ARGUMENT`. */
export const describeAnswer = ({ outcome, status, code, mediaType }: ObservedAnswer): string =>
  outcome === 'accepted' ? 'accepted' : `${status} ${code ?? mediaType ?? 'without content'}`
