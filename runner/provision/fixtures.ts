import { operationNamed } from '../../interface/operations.js'
import type { JsonValue } from '../../lib/json/json.js'
import { cutText } from '../../lib/redaction/redaction.js'
import type { Reason } from '../../record/types/reason.js'
import type { Evidence, RecordedFixture, RecordedRead } from '../../record/types/record.js'
import { type PerformedStep, performStep, type Session } from '../execute/perform-step.js'
import { type PresignedTransactions, withPresigned } from '../execute/presigned-transactions.js'
import { factOf, judgeExchange } from '../judge/judge-exchange.js'
import { isAcceptedSubmission, isSuccess } from '../judge/sent-steps.js'
import { actingParty, type ResolvedFixture } from '../suite/resolved-suite.js'
import { byKeys } from '../template/generators.js'
import { recordedVariables, type Variables, withValues } from '../template/variables.js'
import type { ExchangeLog } from '../transport/exchange-log.js'
import { causeOfNeeded, declinedReason, declinedStep } from './declined-fixtures.js'
import type { UnmadeFixtures } from './parties.js'

export interface Fixtures extends UnmadeFixtures {
  variables: Variables
  /** The last exchange of each control. */
  controls: readonly RecordedFixture[]
  /** Without controls. */
  contracts: readonly string[]
  transactions: number
}

/**
 * Needs parties and keys.
 * Sends the steps of the fixtures in their order. A failed fixture is in `failed`, with its reason.
 * @example
 * const { variables, failed } = await makeFixtures(suite.fixtures, parties, session)
 * variables.get('ping.contractId') // '00f2…'
 * failed.size // 0
 */
export async function makeFixtures(
  fixtures: readonly ResolvedFixture[],
  parties: { variables: Variables } & Partial<UnmadeFixtures>,
  session: Session,
  presigned?: PresignedTransactions,
): Promise<Fixtures> {
  const failed = new Map(parties.failed)
  const contracts: string[] = []
  const controls: EndedFixture[] = []
  let transactions = 0
  const declined = new Map(parties.declined)
  let known = parties.variables
  for (const fixture of fixtures) {
    if (fixture.party || fixture.key) continue
    if (fixture.given) {
      known = withMembers(known, fixture.name, fixture.given.values)
      continue
    }
    if (fixture.prepared) {
      known = withMembers(known, fixture.name, fixture.prepared)
      continue
    }
    const broken = causeOfNeeded(fixture, failed)
    if (broken) {
      failed.set(fixture.name, broken)
      continue
    }
    const lacking = causeOfNeeded(fixture, declined)
    if (lacking) {
      declined.set(fixture.name, lacking)
      continue
    }
    const made = await makeWithRetry(fixture, { variables: known, session, presigned })
    known = made.variables
    transactions += made.transactions
    if (made.transactions > 0 && !fixture.controls) contracts.push(fixture.name)
    const ended = made.last ? [{ fixture: fixture.name, ...made.last }] : []
    if (fixture.controls) controls.push(...ended)
    if (made.problem?.isDeclined) declined.set(fixture.name, declinedReason(fixture.name, made.problem.because))
    else if (made.problem) failed.set(fixture.name, failureOf(fixture, made.problem))
  }
  const recorded = ({ scope, ...ended }: EndedFixture): RecordedFixture => ({
    ...ended,
    variables: recordedVariables(scope, known),
  })
  return {
    variables: known,
    failed,
    declined,
    contracts,
    transactions,
    controls: controls.map(recorded),
  }
}

interface LastExchange {
  evidence: Evidence
  scope: Variables
}

type EndedFixture = LastExchange & { fixture: string }

const failureOf = ({ name, controls }: ResolvedFixture, { because }: Problem): Reason =>
  controls === undefined
    ? { code: 'fixture-failed', fixture: name, because }
    : { code: 'nothing-accepted', operation: controls, because }

const withMembers = (variables: Variables, name: string, members: Readonly<Record<string, JsonValue>>): Variables =>
  new Map([...variables, ...Object.entries(members).map(([member, value]) => [`${name}.${member}`, value] as const)])

interface MadeFixture {
  variables: Variables
  transactions: number
  last?: LastExchange
  problem?: Problem
}

interface Making {
  variables: Variables
  session: Session
  presigned: PresignedTransactions | undefined
}

/** A failed control would block all rows of its operation. */
async function makeWithRetry(fixture: ResolvedFixture, making: Making): Promise<MadeFixture> {
  const made = await makeFixture(fixture, making)
  const isRepeatable = fixture.controls !== undefined && !fixture.steps.some((step) => step.presigned)
  if (!made.problem || !isRepeatable || (made.last?.evidence.response?.status ?? 500) < 500) return made
  const again = await makeFixture(fixture, making, `${fixture.name}-again`)
  return { ...again, transactions: made.transactions + again.transactions }
}

/** Commits a transaction by the first control that can be sent again. Undefined if no control commits. */
export async function repeatControl(
  fixtures: readonly ResolvedFixture[],
  { variables, failed, declined }: Fixtures,
  session: Session,
  log: ExchangeLog,
): Promise<RecordedRead | undefined> {
  const control = fixtures.find(
    ({ name, controls, steps }) =>
      controls !== undefined &&
      operationNamed(controls)?.commits &&
      !failed.has(name) &&
      !declined.has(name) &&
      !steps.some(({ presigned }) => presigned),
  )
  if (control?.controls === undefined) return undefined
  log.begin(control.controls)
  const { last } = await makeFixture(control, { variables, session, presigned: undefined }, `${control.name}-last`)
  return last && { operation: control.controls, evidence: last.evidence }
}

async function makeFixture(
  fixture: ResolvedFixture,
  { variables, session, presigned }: Making,
  marker = fixture.name,
): Promise<MadeFixture> {
  // Distinguishes requests of fixtures and rows.
  const marked = new Map(variables).set('row', `${String(variables.get('run'))}-${marker}`)
  let transactions = 0
  let scope = withValues(fixture.values, marked, byKeys(session.keys))
  for (const [index, step] of fixture.steps.entries()) {
    if (step.presigned) {
      const party = actingParty(fixture) ?? ''
      const next = presigned?.next(party) ?? ({ code: 'presigned-missing', fixture: party } as const)
      if ('code' in next) return { variables, transactions, problem: { because: next, isDeclined: false } }
      presigned?.consume(party)
      scope = withPresigned(next, step.capture, scope)
      continue
    }
    const done = await performStep(step, { step: index, role: step.role }, scope, session)
    scope = done.variables
    if (isAcceptedSubmission(step, done.evidence)) transactions += 1
    const isLast = index === fixture.steps.length - 1
    const problem = fixture.controls && isLast ? controlProblem(fixture, done.evidence) : problemOf(fixture, done)
    if (problem || isLast) {
      const made = problem ? new Map(variables) : new Map(scope)
      for (const name of ['row', ...Object.keys(fixture.values)]) made.delete(name)
      return { variables: made, transactions, last: { evidence: done.evidence, scope }, ...(problem && { problem }) }
    }
  }
  return { variables, transactions }
}

/** Rows judge the body. */
function controlProblem(fixture: ResolvedFixture, evidence: Evidence): Problem | undefined {
  if (isSuccess(evidence)) return undefined
  const declined = declinedStep(fixture, evidence, new Map())
  if (declined) return { because: declined, isDeclined: true }
  const { response, problem } = evidence
  const { controls: operation = '' } = fixture
  const because: Reason = response
    ? { code: 'request-rejected', operation, status: response.status, answer: answerText(evidence) }
    : { code: 'request-failed', message: problem?.message ?? 'no answer' }
  return { because, isDeclined: false }
}

const answerText = ({ response }: Evidence): string => cutText(response?.body.text ?? '', 300)

interface Problem {
  because: Reason
  /** The text permits the target to decline the fixture. */
  isDeclined: boolean
}

function problemOf(fixture: ResolvedFixture, { evidence, missing, variables }: PerformedStep): Problem | undefined {
  const step = fixture.steps[evidence.step]
  if (!step) return undefined
  const { name, operation } = step
  const unmet = judgeExchange(step, evidence, variables).find(({ met }) => !met)
  if (unmet) {
    const because: Reason = {
      code: 'unexpected-answer',
      step: name,
      operation,
      unmet: factOf(unmet),
      ...(evidence.response && { answer: answerText(evidence) }),
    }
    return { because, isDeclined: false }
  }
  if (isSuccess(evidence) && missing.length === 0) return undefined
  const declined = declinedStep(fixture, evidence, variables)
  if (declined) return { because: declined, isDeclined: true }
  return missing.length === 0
    ? undefined
    : { because: { code: 'not-captured', step: name, missing }, isDeclined: false }
}
