/** Rules that speak of members of answers, and the described form of whole answers. */
import type { Check, ResolvedExpectation } from '../../record/types/resolved-row.js'
import type { Answer } from '../../runner/judge/answer.js'
import { evaluateCheck } from '../../runner/judge/evaluate-check.js'
import type { ResolvedSuite } from '../../runner/suite/resolved-suite.js'

export interface MemberRules {
  /** By operation and pointer without indices. */
  members: ReadonlyMap<string, ReadonlySet<string>>
  /** Those of which whoever speaks of them wants them unpopulated. */
  unpopulated: ReadonlySet<string>
  /** What a success of an operation looks like, each with the rule that says so. */
  shapes: ReadonlyMap<string, readonly Pick<ResolvedExpectation, 'rules' | 'anyOf'>[]>
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

export const placeOf = (pointer: string): string => pointer.replace(/\/\d+(?=\/|$)/g, '/*')

/** The rules of the member, or of the nearest one around it; all that there are, if there are no more than `most`. */
export function rulesAt(pointer: string, { members }: MemberRules, operation: string, most: number): string[] {
  for (let place = placeOf(pointer); place !== ''; place = place.slice(0, place.lastIndexOf('/'))) {
    const rules = members.get(`${operation} ${place}`)
    if (rules) return [...rules].slice(0, most)
  }
  return []
}

/** The model leaves it unpopulated, as whoever speaks of it wants, and the target does not. */
export function isFilled(
  pointer: string,
  { model, target }: { model: Answer | undefined; target: Answer | undefined },
  { unpopulated }: MemberRules,
  operation: string,
): boolean {
  if (!model || !target || !unpopulated.has(`${operation} ${placeOf(pointer)}`)) return false
  const check: Check = { on: 'body', pointer, matcher: { unpopulated: true } }
  return isMet(check, model) && !isMet(check, target)
}

/** All that speak of answers of the operation. */
export const rulesOfAnswers = ({ members }: MemberRules, operation: string): string[] => [
  ...new Set([...members].flatMap(([key, own]) => (key.startsWith(`${operation} `) ? [...own] : []))),
]

/** Rules by which a success does not look like that. */
export function brokenShapes(answer: Answer, { shapes }: MemberRules, operation: string): string[] {
  return (shapes.get(operation) ?? [])
    .filter(({ anyOf }) => !anyOf.some(({ checks }) => checks.every((check) => isMet(check, answer))))
    .flatMap(({ rules }) => rules)
}

const isMet = (check: Check, answer: Answer): boolean => evaluateCheck(check, answer, nothing).every(({ met }) => met)

const nothing = new Map<string, never>()
