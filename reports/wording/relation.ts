import { expectationsOf } from '../../record/judgements/references.js'
import type { Judgement } from '../../record/types/record.js'
import type { Check, ResolvedStep } from '../../record/types/resolved-row.js'

const variable = /\$\{([\w.-]+)\}/g

/**
 * What the expected value of an unmet judgement is: `/updateId in the answer of step first`, or `contractId of the fixture
 * ping`. Empty if the expectation is a constant.
 */
export function relationsOf(judgement: Judgement, { steps }: { steps: readonly ResolvedStep[] }): string[] {
  const step = steps[judgement.step]
  const expectation = step && expectationsOf(step)[judgement.expectation ?? -1]
  if (!step || !expectation) return []
  const checks = expectation.anyOf
    .flatMap((alternative) => alternative.checks)
    .filter((check) => concerns(check, judgement))
  const names = new Set([...JSON.stringify(checks).matchAll(variable)].flatMap(([, name]) => name ?? []))
  return [...names].flatMap((name) => originOf(name, steps.slice(0, judgement.step + 1)) ?? [])
}

const concerns = (check: Check, { pointer }: Judgement): boolean =>
  check.on === 'body' ? check.pointer === (pointer ?? check.pointer) : 'matcher' in check

function originOf(name: string, steps: readonly ResolvedStep[]): string | undefined {
  const captured = steps.findLast(({ capture }) => Object.hasOwn(capture, name))
  if (captured) return `${captured.capture[name] || 'the whole body'} in the answer of step ${captured.name}`
  const [fixture = '', ...members] = name.split('.')
  return members.length === 0 ? undefined : `${members.join('.')} of the fixture ${fixture}`
}
