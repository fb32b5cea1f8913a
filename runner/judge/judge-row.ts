/** Turns the evidence of one row into its verdict. Pure: the same evidence can be judged again, by another profile too. */
import type { Evidence, Judgement } from '../../record/record.js'
import type { Verdict } from '../../record/verdict.js'
import type { PerformedRow } from '../execute/perform-row.js'
import { userIdOf } from '../provision/actors.js'
import { exchangesOf, isSent, purposeOf, type RowStep, stepsOfRow } from '../row-steps.js'
import { actorOf, type Case, type Profile, type Row, type Step, type Suite } from '../suite/suite.js'
import type { Variables } from '../template/variables.js'
import { judgeRace } from './judge-race.js'
import { type JudgeContext, judgeStep, type StepJudgements } from './judge-step.js'

export interface RowVerdict {
  verdict: Verdict
  /** One sentence; absent when the row passed. */
  reason?: string
  judgements: Judgement[]
}

interface JudgedStep extends StepJudgements {
  role: RowStep['role']
}

/** A failure that another profile of the suite knows as a divergence says so in its reason. */
export function judgeRow(
  suiteCase: Case,
  row: Row,
  performed: PerformedRow,
  profile: Profile,
  suite: Suite,
): RowVerdict {
  const judged = judgeBy(suiteCase, row, performed, profile, suite)
  if (judged.verdict !== 'fail') return judged
  for (const other of suite.profiles.values()) {
    // What was only read of others proves nothing.
    if (other.name === profile.name || other.divergences.every(({ confidence }) => confidence === 'read')) continue
    const { verdict, judgements } = judgeBy(suiteCase, row, performed, other, suite)
    const known = new Set(judgements.flatMap(({ divergence }) => divergence ?? []))
    if (verdict !== 'pass' || known.size === 0) continue
    return { ...judged, reason: `${judged.reason ?? ''} (known of ${other.name}: ${[...known].join(', ')})` }
  }
  return judged
}

function judgeBy(suiteCase: Case, row: Row, performed: PerformedRow, profile: Profile, suite: Suite): RowVerdict {
  const { evidence, stopped, variables } = performed
  const unsent = evidence.find(({ problem }) => problem?.code === 'not-sent')
  if (unsent) return { verdict: 'error', reason: stopped ?? 'a step was not sent', judgements: [] }
  const possible = exchangesOf(stepsOfRow(suiteCase, row, suite))
  const tested = evidence.filter((_, index) => possible[index]?.role === 'test')
  const all = possible.filter((rowStep) => isSent(rowStep, tested))
  const planned = stopped === undefined ? all : sentUntilStopped(all, evidence.length)
  if (!belongs(evidence, planned)) {
    return { verdict: 'error', reason: 'the evidence is not that of the steps of this row', judgements: [] }
  }
  const steps = [...new Set(planned)].flatMap((rowStep): JudgedStep[] => {
    const exchanges = evidence.filter((_, index) => planned[index] === rowStep)
    const { role, step, rules } = rowStep
    if (exchanges.length === 0) return []
    const operation = suite.requests.get(step.request)?.operation ?? ''
    const scope = withUser(rowStep, variables, suite)
    const context = { profile, rules: suite.rules, variables: scope, operation, judged: rules }
    return [{ role, ...judgeExchanges(step, exchanges, context) }]
  })
  const judgements = steps.flatMap(({ outcome, expectations }) => [...outcome, ...expectations])
  return { ...conclude(steps, stopped, row), judgements }
}

function judgeExchanges(step: Step, exchanges: readonly Evidence[], context: JudgeContext): StepJudgements {
  if (step.race) return judgeRace(step, step.race, exchanges, context)
  const [only] = exchanges
  return only ? judgeStep(step, only, context) : { outcome: [], expectations: [] }
}

/** Of a row that was stopped the first steps were sent, and those that restore. */
function sentUntilStopped(all: readonly RowStep[], sent: number): readonly RowStep[] {
  const restoring = all.filter(({ role }) => role === 'restore')
  const others = all.slice(0, all.length - restoring.length)
  return [...others.slice(0, Math.max(0, sent - restoring.length)), ...restoring]
}

/** Evidence comes in the order of the steps that were sent. */
function belongs(evidence: readonly Evidence[], planned: readonly RowStep[]): boolean {
  if (evidence.length !== planned.length) return false
  return evidence.every(({ step, purpose }, index) => {
    const rowStep = planned[index]
    return rowStep !== undefined && rowStep.step.name === step && purposeOf(rowStep) === purpose
  })
}

/** `${user}` is the one who called in this very step. */
function withUser({ step }: RowStep, variables: Variables, suite: Suite): Variables {
  const base = suite.requests.get(step.request)
  const run = variables.get('run')
  if (!base || typeof run !== 'string') return variables
  return new Map(variables).set('user', userIdOf(actorOf(step, base), run))
}

function conclude(
  steps: readonly JudgedStep[],
  stopped: string | undefined,
  { impact }: Row,
): Omit<RowVerdict, 'judgements'> {
  const misled = (role: RowStep['role']): Judgement | undefined =>
    steps.filter((step) => step.role === role).flatMap(({ outcome }) => outcome.find(({ met }) => !met) ?? [])[0]
  const setUp = misled('set-up')
  if (setUp) {
    return { verdict: 'blocked', reason: `the step ${setUp.step} before the one under test: ${sentence(setUp)}` }
  }
  const counting = steps.flatMap(countingJudgements)
  const unmet = counting.filter(({ met }) => !met)
  const broken = unmet.find(({ strength }) => strength === 'must')
  if (broken) return { verdict: 'fail', reason: sentence(broken) }
  const blind = misled('probe')
  if (blind && impact === 'hazard')
    return { verdict: 'fail', reason: `afterwards the target is gone: ${sentence(blind)}` }
  if (blind) return { verdict: 'blocked', reason: `the probe could not look: ${sentence(blind)}` }
  const left = misled('restore')
  if (left) return { verdict: 'blocked', reason: `what the row changes could not be put back: ${sentence(left)}` }
  if (stopped !== undefined) return { verdict: 'blocked', reason: stopped }
  if (!steps.some(({ role, outcome, expectations }) => role === 'test' && outcome.length + expectations.length > 0)) {
    return { verdict: 'error', reason: 'nothing is expected of the step under test' }
  }
  const advice = unmet.find(({ strength }) => strength === 'should')
  if (advice) return { verdict: 'warning', reason: sentence(advice) }
  const [freedom] = unmet
  if (freedom)
    return { verdict: 'inapplicable', reason: `this target makes no use of what it may: ${sentence(freedom)}` }
  return { verdict: 'pass' }
}

/** Where set-up or a probe was not answered as it should be, nothing else that it says counts; what restores judges nothing. */
function countingJudgements({ role, outcome, expectations }: JudgedStep): Judgement[] {
  if (role === 'restore') return []
  if (role === 'test') return [...outcome, ...expectations]
  return outcome.every(({ met }) => met) ? expectations : []
}

function sentence({ subject, pointer, expected, actual }: Judgement): string {
  const place = pointer === undefined || pointer === '' ? subject : `${subject} ${pointer}`
  return `${place}: expected ${expected}, found ${actual}`
}
