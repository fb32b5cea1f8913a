import { type Matcher, type MatcherName, matcherNames, type ResolvedStep } from '../../record/resolved-row.js'
import type { FindingList } from '../load/finding-list.js'
import type { ResolvedSuite } from '../suite/resolved-suite.js'

/** Expectations that are met whatever the target answers. */
export function checkIdleExpectations({ rows, fixtures }: ResolvedSuite, findings: FindingList): void {
  for (const { steps } of [...rows, ...fixtures]) for (const step of steps) checkStep(step, findings)
}

function checkStep({ expectations, capture }: ResolvedStep, findings: FindingList): void {
  for (const { anyOf, source } of expectations) {
    for (const check of anyOf.flatMap(({ checks }) => checks)) {
      if (check.on !== 'body') continue
      for (const why of idle(check.matcher, check.pointer, capture)) {
        const message = `the expectation of "${check.pointer}" cannot fail: ${why}`
        findings.addLine(source, message, 'say what it really has to be')
      }
    }
  }
}

/** Matchers that every value meets which is compared with itself. */
const reflexive: readonly MatcherName[] = [
  'equals',
  'one-of',
  'same-set',
  'subset-of',
  'superset-of',
  'intersects',
  'includes',
  'at-least',
]

function idle(matcher: Matcher, pointer: string, capture: Readonly<Record<string, string>>): string[] {
  const own = Object.entries(capture).flatMap(([variable, from]) => (from === pointer ? [`\${${variable}}`] : []))
  return matcherNames.flatMap((name) => {
    const wanted = matcher[name]
    const items = Array.isArray(wanted) ? wanted : [wanted]
    const itself = own.find((variable) => items.includes(variable))
    if (itself !== undefined && reflexive.includes(name)) return [`${itself} is taken from just there`]
    if (name === 'includes' && isEmptyObject(wanted)) return ['every object has no members at least']
    return []
  })
}

const isEmptyObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0
