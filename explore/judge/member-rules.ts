import type { Check, ResolvedExpectation } from '../../record/types/resolved-row.js'
import type { Answer } from '../../runner/judge/answer.js'
import { evaluateCheck } from '../../runner/judge/evaluate-check.js'
import type { ResolvedSuite } from '../../runner/suite/resolved-suite.js'
import { placeOf } from '../compare/compare-answers.js'
import type { Exchange } from '../compare/run-sequence.js'
import type { StepResult } from '../send/step.js'

export interface MemberRules {
  members: ReadonlyMap<string, ReadonlySet<string>>
  /** Members that each expectation requires to be unpopulated. */
  unpopulated: ReadonlySet<string>
  shapes: ReadonlyMap<string, readonly ResolvedExpectation[]>
}

export function rulesOfMembers({ rows }: ResolvedSuite): MemberRules {
  const members = new Map<string, Set<string>>()
  const populated = new Set<string>()
  const shapes = new Map<string, ResolvedExpectation[]>()
  for (const { steps } of rows)
    for (const { operation, expectations } of steps) {
      const described = expectations.filter(({ kind }) => kind === 'shape')
      if (described.length > 0 && !shapes.has(operation)) shapes.set(operation, described)
      for (const { kind, rules, anyOf } of expectations) {
        if (kind !== 'content') continue
        for (const check of anyOf.flatMap(({ checks }) => checks)) {
          if (check.on !== 'body') continue
          const key = `${operation} ${placeOf(check.pointer)}`
          members.set(key, new Set([...(members.get(key) ?? []), ...rules]))
          if (!('unpopulated' in check.matcher)) populated.add(key)
        }
      }
    }
  return { members, shapes, unpopulated: new Set([...members.keys()].filter((key) => !populated.has(key))) }
}

/** Rules of the member, or of its nearest ancestor with rules. */
export function rulesAt(pointer: string, { members }: MemberRules, operation: string, most: number): string[] {
  for (let place = placeOf(pointer); place !== ''; place = place.slice(0, place.lastIndexOf('/'))) {
    const rules = members.get(`${operation} ${place}`)
    if (rules) return [...rules].slice(0, most)
  }
  return []
}

/** True if only the target populates a member that must be unpopulated. */
export function isFilled(
  pointer: string,
  { step, reference, target }: Exchange,
  { unpopulated }: MemberRules,
): boolean {
  if (!unpopulated.has(`${step.operation} ${placeOf(pointer)}`)) return false
  const check: Check = { on: 'body', pointer, matcher: { unpopulated: true } }
  const isUnpopulated = ({ answer }: StepResult): boolean => answer !== undefined && isCheckMet(check, answer)
  return isUnpopulated(reference) && target.answer !== undefined && !isUnpopulated(target)
}

export const rulesOfAnswers = ({ members }: MemberRules, operation: string): string[] => [
  ...new Set([...members].flatMap(([key, own]) => (key.startsWith(`${operation} `) ? [...own] : []))),
]

export function brokenShapes(answer: Answer, { shapes }: MemberRules, operation: string): string[] {
  return (shapes.get(operation) ?? [])
    .filter(({ anyOf }) => !anyOf.some(({ checks }) => checks.every((check) => isCheckMet(check, answer))))
    .flatMap(({ rules }) => rules)
}

export const isCheckMet = (check: Check, answer: Answer): boolean =>
  evaluateCheck(check, answer, noVariables).every(({ met }) => met)

const noVariables = new Map<string, never>()
