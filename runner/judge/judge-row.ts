/** Turns the evidence of one row into its verdict. Pure: the same evidence can be judged again, by another profile too. */
import type { Evidence, Judgement } from '../../record/record.js'
import type { Verdict } from '../../record/verdict.js'
import type { PerformedRow } from '../execute/perform-row.js'
import type { Case, Probe, Profile, Row, Step, Suite } from '../suite.js'
import { judgeStep, type StepJudgements } from './judge-step.js'

export interface RowVerdict {
  verdict: Verdict
  /** One sentence; absent when the row passed. */
  reason?: string
  judgements: Judgement[]
}

type Role = 'set-up' | 'test' | 'probe'

interface JudgedStep extends StepJudgements {
  role: Role
}

export function judgeRow(
  suiteCase: Case,
  row: Row,
  performed: PerformedRow,
  profile: Profile,
  suite: Suite,
): RowVerdict {
  const unsent = performed.evidence.find(({ problem }) => problem?.code === 'not-sent')
  if (unsent) return { verdict: 'error', reason: performed.stopped ?? 'a step was not sent', judgements: [] }
  const steps = pair(suiteCase, row, performed.evidence, profile, suite).map(
    ([role, step, evidence, rules]): JudgedStep => {
      const operation = suite.requests.get(step.request)?.operation ?? ''
      const context = { profile, rules: suite.rules, variables: performed.variables, operation, judged: rules }
      return { role, ...judgeStep(step, evidence, context) }
    },
  )
  const judgements = steps.flatMap(({ outcome, expectations }) => [...outcome, ...expectations])
  return { ...conclude(steps, performed.stopped), judgements }
}

/** Each piece of evidence with the step it belongs to: evidence comes in the order in which steps are sent. */
function pair(
  suiteCase: Case,
  row: Row,
  evidence: readonly Evidence[],
  profile: Profile,
  suite: Suite,
): [Role, Step, Evidence, readonly string[]][] {
  const probe: Probe | undefined =
    suiteCase.afterwards === undefined ? undefined : suite.probes.get(suiteCase.afterwards)
  const tested = evidence.filter(({ purpose }) => purpose === 'test')
  const probed = evidence.filter(({ purpose }) => purpose === 'probe')
  const probing = [...(probe?.before ?? []), ...(probe?.after ?? [])]
  const paired: [Role, Step, Evidence, readonly string[]][] = []
  for (const [index, found] of tested.entries()) {
    const step = row.steps[index]
    if (step) paired.push([index === row.steps.length - 1 ? 'test' : 'set-up', step, found, row.rules])
  }
  // What the profile knows to be accepted is meant to have an effect.
  for (const [index, found] of knownAccepted(row, profile) ? [] : probed.entries()) {
    const step = probing[index]
    if (step) paired.push(['probe', step, found, probe?.rules ?? []])
  }
  return paired
}

function knownAccepted(row: Row, profile: Profile): boolean {
  const outcome = row.steps.at(-1)?.verdict.outcome
  return outcome !== undefined && 'refused' in outcome && (profile.conditions.get(outcome.refused)?.accepted ?? false)
}

function conclude(steps: readonly JudgedStep[], stopped: string | undefined): Omit<RowVerdict, 'judgements'> {
  const unmet = (role: Role, of: keyof StepJudgements): Judgement | undefined =>
    steps
      .filter((step) => step.role === role)
      .flatMap((step) => step[of])
      .find(({ met }) => !met)
  const all = steps.flatMap((step) => [...(step.role === 'test' ? step.outcome : []), ...step.expectations])
  const broken = all.find(({ met, strength }) => !met && strength === 'must')
  if (broken) return { verdict: 'fail', reason: sentence(broken) }
  const setUp = unmet('set-up', 'outcome')
  if (setUp)
    return { verdict: 'blocked', reason: `the step ${setUp.step} before the one under test: ${sentence(setUp)}` }
  const blind = unmet('probe', 'outcome')
  if (blind) return { verdict: 'blocked', reason: `the probe could not look: ${sentence(blind)}` }
  if (stopped !== undefined) return { verdict: 'blocked', reason: stopped }
  const advice = all.find(({ met, strength }) => !met && strength === 'should')
  if (advice) return { verdict: 'warning', reason: sentence(advice) }
  return { verdict: 'pass' }
}

function sentence({ subject, pointer, expected, actual }: Judgement): string {
  const place = pointer === undefined || pointer === '' ? subject : `${subject} ${pointer}`
  return `${place}: expected ${expected}, found ${actual}`
}
