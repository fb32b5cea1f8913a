import type { FindingList } from '../load/finding-list.js'
import { type Matcher, type MatcherName, matcherNames, type Location, type Step, type Suite } from '../suite/suite.js'

/** Expectations that are met whatever the target answers. */
export function checkIdleExpectations(suite: Suite, findings: FindingList): void {
  const check = (step: Step, location: Location): void => {
    for (const [pointer, matcher] of step.verdict.expect.body ?? []) {
      for (const why of idle(matcher, pointer, step)) {
        findings.add(location, `the expectation of "${pointer}" cannot fail: ${why}`, 'say what it really has to be')
      }
    }
  }
  for (const { rows, restore } of suite.cases) {
    for (const step of restore) check(step, step.location)
    for (const { steps, location } of rows) {
      steps.forEach((step, index) => {
        check(step, index === steps.length - 1 ? place : step.location)
      })
    }
  }
  const others = [...suite.fixtures.values(), ...suite.probes.values()]
  for (const one of others) {
    for (const step of 'before' in one ? [...one.before, ...one.after] : one.steps) check(step, step.location)
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

function idle(matcher: Matcher, pointer: string, step: Step): string[] {
  const own = [...step.capture].filter(([, captured]) => captured === pointer).map(([variable]) => `\${${variable}}`)
  return matcherNames.flatMap((name) => {
    const wanted = matcher[name]
    const items = Array.isArray(wanted) ? wanted : [wanted]
    const itself = own.find((variable) => items.includes(variable))
    if (itself !== undefined && reflexive.includes(name)) return [`${itself} is taken from that very place`]
    if (name === 'includes' && isEmptyObject(wanted)) return ['every object has no members at least']
    return []
  })
}

const isEmptyObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0
