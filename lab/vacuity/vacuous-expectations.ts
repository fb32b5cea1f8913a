/** The judge finds a vacuous expectation met with every mutation of the evidence. */
import { expectationsOf } from '../../record/judgements/references.js'
import type { Evidence, RunRow } from '../../record/types/record.js'
import type { ResolvedExpectation, ResolvedStep } from '../../record/types/resolved-row.js'
import { judgeEffects } from '../../runner/judge/judge-effects.js'
import { judgeExchanges } from '../../runner/judge/judge-exchange.js'
import { isSuccess } from '../../runner/judge/sent-steps.js'
import type { Variables } from '../../runner/template/variables.js'
import { mutatedAnswers } from './mutated-answers.js'

export interface Vacuous {
  row: string
  step: string
  expectation: number
  kind: ResolvedExpectation['kind']
  rules: readonly string[]
}

export function findVacuous(row: RunRow, variables: Variables): { tried: number; vacuous: Vacuous[] } {
  const found = row.resolved.steps.flatMap((step, index) => {
    const failing = failingIn(row, step, index, variables)
    return [...expectationsOf(step).entries()].map(([at, { kind, rules }]) => ({
      vacuous: { row: row.id, step: step.name, expectation: at, kind, rules },
      canFail: failing.has(at),
    }))
  })
  return { tried: found.length, vacuous: found.filter(({ canFail }) => !canFail).map(({ vacuous }) => vacuous) }
}

function failingIn(row: RunRow, step: ResolvedStep, index: number, variables: Variables): Set<number> {
  const all = expectationsOf(step)
  const failing = new Set<number>()
  for (const judged of judgedMutations(row, step, index, variables)) {
    for (const { expectation, met } of judged) if (!met && expectation !== undefined) failing.add(expectation)
    if (failing.size === all.length) break
  }
  return failing
}

/** The few mutations of the whole step come first. */
function* judgedMutations(row: RunRow, step: ResolvedStep, index: number, variables: Variables) {
  const own = row.evidence.filter((one) => one.step === index && one.role !== 'late-check')
  const exchanges = own.some(({ response }) => response) ? own : [unsent(step, index)]
  // All concurrent requests of the step are accepted, or all are rejected.
  for (const status of [200, 409])
    yield judgeExchanges(
      step,
      exchanges.map((one) => answered(one, status)),
      variables,
    )
  for (const status of [undefined, 200, 400])
    yield judgeEffects(row.resolved, withUnreportedEffects(row, index, status), variables)
  for (const exchange of representativesOf(exchanges)) {
    for (const mutated of mutatedAnswers(exchange, expectationsOf(step)))
      yield judgeExchanges(step, [mutated], variables)
  }
}

/** Of concurrent requests, an accepted and a rejected one; a missing one is made from the first. */
function representativesOf(exchanges: readonly Evidence[]): Evidence[] {
  const [first] = exchanges
  if (!first || exchanges.length === 1) return [...exchanges]
  const accepted = exchanges.find(isSuccess) ?? answered(first, 200)
  const rejected = exchanges.find((one) => !isSuccess(one)) ?? answered(first, 409)
  return [accepted, rejected]
}

const unsent = ({ role }: ResolvedStep, step: number): Evidence => ({
  step,
  role,
  request: { method: 'POST', url: '', headers: [] },
  response: { status: 200, headers: [], body: { text: '{}', bytes: 2 } },
  startedAt: '',
  milliseconds: 0,
})

const answered = (one: Evidence, status: number): Evidence =>
  one.response ? { ...one, response: { ...one.response, status } } : one

function withUnreportedEffects({ evidence, resolved }: RunRow, step: number, status: number | undefined): Evidence[] {
  const role = resolved.steps[step]?.role ?? 'act'
  const list = Array.from({ length: 100 }, (_, count) => ({
    update: { Transaction: { value: { updateId: `1220unreported${count}` } } },
  }))
  const text = JSON.stringify(list)
  const lateCheck: Evidence = {
    ...unsent({ role } as ResolvedStep, step), // `unsent` reads nothing else
    role: 'late-check',
    response: { status: 200, headers: [], body: { text, bytes: text.length } },
  }
  const others = evidence.filter((one) => one.role !== 'late-check')
  const own = status === undefined ? others : others.map((one) => (one.step === step ? answered(one, status) : one))
  return [...own, lateCheck]
}
