import type { ResolvedExpectation, ResolvedRow, ResolvedStep } from '../../record/types/resolved-row.js'
import type { Case, Probe, Row, Step, Suite } from '../suite/suite.js'
import { divergenceAt } from './content-expectations.js'
import { isPlainlyAccepted, type Resolving, type StepSetting } from './resolve-step.js'
import { basisOf, type ExpectationScope, lineOf, noEffect, nothingElse, strongest } from './scope.js'

export type UnfixedRow = Omit<ResolvedRow, 'fixtures'>

export const rowId = (suiteCase: Case, row: Row): string => `${suiteCase.id}/${row.id}`

/** Throws `ResolveError`. */
export function resolveRow(suiteCase: Case, row: Row, resolving: Resolving): UnfixedRow {
  return {
    id: rowId(suiteCase, row),
    case: suiteCase.id,
    row: row.id,
    title: row.title,
    operation: suiteCase.operation,
    source: lineOf(row.location),
    impact: row.impact,
    ...(row.impact === 'hazard' && suiteCase.hazard !== undefined && { hazard: suiteCase.hazard }),
    needs: row.needs,
    alone: suiteCase.serial,
    values: row.values,
    steps: uniquelyNamed(stepsOf(suiteCase, row, resolving)),
  }
}

/** In sending order. */
function stepsOf(suiteCase: Case, row: Row, resolving: Resolving): ResolvedStep[] {
  const probe = probeAround(suiteCase, row, resolving.suite)
  const situation = row.steps.at(-1)?.outcome?.what
  const all = (steps: readonly Step[] | undefined, setting: StepSetting): ResolvedStep[] =>
    resolving.steps(steps ?? [], { ...setting, situation })
  const { rules } = row
  const ofProbe = probe?.rules ?? []
  return [
    ...all(probe?.before, { role: 'probe-before', rules: ofProbe }),
    ...all(row.steps.slice(0, -1), { role: 'arrange', rules }),
    ...all(row.steps.slice(-1), { role: 'act', rules, besides: suiteCase.besides, row: rowId(suiteCase, row) }).map(
      (act) => withEffects(act, row, situation, resolving),
    ),
    ...all(probe?.after, { role: 'probe-after', rules: ofProbe, sentWhen: 'refused' }),
    ...all(probe?.afterAcceptance, { role: 'probe-after', rules, sentWhen: 'accepted' }),
    ...all(suiteCase.restore, { role: 'restore', rules }),
  ]
}

function withEffects(act: ResolvedStep, row: Row, situation: string | undefined, resolving: Resolving): ResolvedStep {
  const { suite, profile, strengths, facts } = resolving
  const operations = row.steps.map(({ request }) => suite.requests.get(request)?.operation ?? '')
  const scope = { profile, strengths, facts, rules: row.rules, situation }
  return { ...act, expectations: [...act.expectations, ...effectsExpectations(operations, act.source, scope)] }
}

function probeAround({ afterwards }: Case, { steps }: Row, { probes }: Suite): Probe | undefined {
  const tested = steps.at(-1)
  if (afterwards === undefined || !tested?.outcome) return undefined
  const probe = probes.get(afterwards)
  if (!probe) throw new Error(`the loader accepted the unknown probe ${afterwards}`)
  return isPlainlyAccepted(tested) && probe.afterAcceptance.length === 0 ? undefined : probe
}

/** A step of the probe may have the name of a step of the row. */
function uniquelyNamed(steps: readonly ResolvedStep[]): ResolvedStep[] {
  const used = new Set<string>()
  return steps.map((step) => {
    let name = step.name
    for (let count = 2; used.has(name); count += 1) name = `${step.name} ${count}`
    used.add(name)
    return name === step.name ? step : { ...step, name }
  })
}

/** `operations` ends with the operation under test. */
function effectsExpectations(
  operations: readonly string[],
  source: ResolvedExpectation['source'],
  scope: ExpectationScope,
): ResolvedExpectation[] {
  const committing = operations.flatMap((operation) => nothingElse.get(operation) ?? [])
  const accepted = committing.at(-1)
  if (accepted === undefined) return []
  const isTested = nothingElse.has(operations.at(-1) ?? '')
  const divergence = divergenceAt('', [noEffect], scope)
  const expected = (rule: string, when: 'accepted' | 'refused', untold: number): ResolvedExpectation[] =>
    scope.strengths.has(rule)
      ? [
          {
            kind: 'effects',
            rules: [rule],
            strength: strongest([rule], scope.strengths),
            confidence: 'text',
            anyOf: [{ checks: [{ on: 'effects', when, untold }] }],
            source,
          },
        ]
      : []
  const refused = isTested ? expected(noEffect, 'refused', divergence ? 1 : 0) : []
  return [
    ...refused.map((one) => ({
      ...one,
      ...(divergence && {
        divergence: divergence.id,
        basis: basisOf(divergence),
        confidence: divergence.confidence,
      }),
    })),
    ...expected(accepted, 'accepted', 0),
  ]
}
