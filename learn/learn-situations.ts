/** Situations in which a participant consistently differs from its base profile. */
import { groupBy } from './group-by.js'
import type { Observation, ObservedAnswer } from './observations.js'

export interface LearnedSituation {
  situation: string
  answer: ObservedAnswer
  rows: string[]
}

export interface InconsistentSituation {
  situation: string
  /** By description of the answer; the first ones are expected by the base profile. */
  answers: { answer: string; isExpected: boolean; rows: string[] }[]
}

export interface LearnedSituations {
  learned: LearnedSituation[]
  inconsistent: InconsistentSituation[]
  /** Answers that neither the base profile nor the text permits. */
  violations: Observation[]
}

/** `order`: names of situations. */
export function learnSituations(observations: readonly Observation[], order: readonly string[]): LearnedSituations {
  const result: LearnedSituations = { learned: [], inconsistent: [], violations: [] }
  for (const situation of order) {
    const all = observations.filter((one) => one.situation === situation)
    const differing = all.filter(({ isExpected }) => !isExpected)
    result.violations.push(...differing.filter(({ isPermitted }) => !isPermitted))
    const permitted = differing.filter(({ isPermitted }) => isPermitted)
    const [first] = permitted
    if (!first) continue
    const isConsistent = permitted.length === all.length && new Set(permitted.map(keyOf)).size === 1
    if (isConsistent) result.learned.push({ situation, answer: first.answer, rows: rowsOf(permitted) })
    else result.inconsistent.push({ situation, answers: byAnswer(all) })
  }
  return result
}

const keyOf = ({ answer: { outcome, status, mediaType, ...rest } }: Observation): string =>
  JSON.stringify(outcome === 'accepted' ? [outcome] : [status, mediaType, rest])

export const rowsOf = (observations: readonly Pick<Observation, 'row'>[]): string[] => [
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
