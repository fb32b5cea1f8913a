/** Whether every expectation of a row can fail: some change of its evidence has to make the judge say so, by that expectation. */

import { expectationsOf } from '../../record/judgements/references.js'
import type { Evidence, RunRow } from '../../record/types/record.js'
import type { ResolvedExpectation, ResolvedStep } from '../../record/types/resolved-row.js'
import { judgeEffects } from '../../runner/judge/judge-effects.js'
import { judgeExchanges } from '../../runner/judge/judge-exchange.js'
import { isSuccess } from '../../runner/judge/sent-steps.js'
import type { Variables } from '../../runner/template/variables.js'
import { mutatedAnswers } from './mutated-answers.js'

/** An expectation that nothing makes fail. */
export interface Vacuous {
  row: string
  step: string
  /** Index among those of the step. */
  expectation: number
  kind: ResolvedExpectation['kind']
  rules: readonly string[]
}

/** Those of the row that nothing makes fail, and how many were tried. `variables`: what the row had at hand. */
export function vacuousIn(row: RunRow, variables: Variables): { tried: number; vacuous: Vacuous[] } {
  const found = row.resolved.steps.flatMap((step, index) => {
    const failing = failingIn(row, step, index, variables)
    return [...expectationsOf(step).entries()].map(([at, { kind, rules }]) => ({
      vacuous: { row: row.id, step: step.name, expectation: at, kind, rules },
      canFail: failing.has(at),
    }))
  })
  return { tried: found.length, vacuous: found.filter(({ canFail }) => !canFail).map(({ vacuous }) => vacuous) }
}

/** Indices of the expectations of the step that some mutation fails. */
function failingIn(row: RunRow, step: ResolvedStep, index: number, variables: Variables): Set<number> {
  const all = expectationsOf(step)
  const failing = new Set<number>()
  for (const judged of attempts(row, step, index, variables)) {
    for (const { expectation, met } of judged) if (!met && expectation !== undefined) failing.add(expectation)
    if (failing.size === all.length) break
  }
  return failing
}

/** What the judge says of one mutation after the other: first those of whole steps, which are few and concern what nothing else does. */
function* attempts(row: RunRow, step: ResolvedStep, index: number, variables: Variables) {
  const own = row.evidence.filter((one) => one.step === index && one.role !== 'late-look')
  const exchanges = own.some(({ response }) => response) ? own : [unsent(step, index)]
  // All of several requests at once are refused, or accepted.
  for (const status of [200, 409])
    yield judgeExchanges(
      step,
      exchanges.map((one) => answered(one, status)),
      variables,
    )
  for (const status of [undefined, 200, 400])
    yield judgeEffects(row.resolved, withSecrets(row, index, status), variables)
  for (const exchange of tellingOf(exchanges)) {
    for (const mutated of mutatedAnswers(exchange, expectationsOf(step)))
      yield judgeExchanges(step, [mutated], variables)
  }
}

/** Of requests at once one that was accepted and one that was refused, and where there is no such, one that is said to be. */
function tellingOf(exchanges: readonly Evidence[]): Evidence[] {
  const [first] = exchanges
  if (!first || exchanges.length === 1) return [...exchanges]
  const accepted = exchanges.find(isSuccess) ?? answered(first, 200)
  const refused = exchanges.find((one) => !isSuccess(one)) ?? answered(first, 409)
  return [accepted, refused]
}

/** A step that was not sent, as the row went another way: as if it had been answered with next to nothing. */
const unsent = ({ role }: ResolvedStep, step: number): Evidence => ({
  ...{ step, role },
  request: { method: 'POST', url: '', headers: [] },
  response: { status: 200, headers: [], body: { text: '{}', bytes: 2 } },
  startedAt: '',
  milliseconds: 0,
})

const answered = (one: Evidence, status: number): Evidence =>
  one.response ? { ...one, response: { ...one.response, status } } : one

/** The evidence with transactions in its late look that no answer told of, where the step was answered like that. */
function withSecrets({ evidence, resolved }: RunRow, step: number, status: number | undefined): Evidence[] {
  const role = resolved.steps[step]?.role ?? 'act'
  const list = Array.from({ length: 100 }, (_, count) => ({
    update: { Transaction: { value: { updateId: `1220secret${count}` } } },
  }))
  const text = JSON.stringify(list)
  const look: Evidence = {
    ...unsent({ role } as ResolvedStep, step), // nothing else of the step is looked at
    role: 'late-look',
    response: { status: 200, headers: [], body: { text, bytes: text.length } },
  }
  const others = evidence.filter((one) => one.role !== 'late-look')
  const own = status === undefined ? others : others.map((one) => (one.step === step ? answered(one, status) : one))
  return [...own, look]
}
