/** Judges one exchange by what the suite expects of it and by what the profile says that looks like. Pure. */
import { responseCheck } from '../../interface/description.js'
import type { JsonValue } from '../../interface/json.js'
import { type OperationName, operations } from '../../interface/operations.js'
import type { Evidence, Judgement, Strength } from '../../record/record.js'
import { valueAt } from '../template/pointer.js'
import type { ConditionOutcome, Divergence, Matcher, Outcome, Profile, Rule, Step } from '../suite/suite.js'
import type { Variables } from '../template/variables.js'
import { type Answer, answerOf } from './answer.js'
import { withoutForms } from './forms.js'
import { implicitRules } from './implicit-rules.js'
import { evaluate, show } from './matchers.js'
import { compareOutcome, type Finding, statusFinding } from './outcome.js'

/** What the judge knows beside the exchange itself. */
export interface JudgeContext {
  profile: Profile
  rules: ReadonlyMap<string, Rule>
  variables: Variables
  /** The operation that the step calls. */
  operation: string
  /** Rules that the step's expectations judge. */
  judged: readonly string[]
}

export interface StepJudgements {
  /** Was it accepted, or refused, as it should be? */
  outcome: Judgement[]
  /** Everything else that was expected. */
  expectations: Judgement[]
}

export function judgeStep(step: Step, evidence: Evidence, context: JudgeContext): StepJudgements {
  const answer = answerOf(evidence)
  if (!answer) return { outcome: [unanswered(step, evidence, context)], expectations: [] }
  return {
    outcome: judgeOutcome(step, answer, context),
    expectations: [...judgeExpectation(step, answer, context), ...judgeShape(step, answer, context)],
  }
}

type Origin = Pick<Judgement, 'condition' | 'divergence'>

export function toJudgement(
  step: Step,
  rules: readonly string[],
  context: JudgeContext,
  finding: Finding,
  origin: Origin = {},
): Judgement {
  return { step: step.name, rules: [...rules], strength: strongest(rules, context), ...finding, ...origin }
}

/** To answer is a must, however strong the rules are that the answer would be judged by. */
function unanswered(step: Step, { problem, response }: Evidence, context: JudgeContext): Judgement {
  const actual = problem?.message ?? (response ? 'only a part of it was recorded' : 'no answer')
  const finding = { subject: 'answer', expected: 'a complete answer', actual, met: false }
  return { ...toJudgement(step, context.judged, context, finding), strength: 'must' }
}

function judgeOutcome(step: Step, answer: Answer, context: JudgeContext): Judgement[] {
  const { outcome } = step.verdict
  if (!outcome) return []
  if ('accepted' in outcome) return findings(step, acceptedOf(context.profile), answer, context)
  const known = context.profile.conditions.get(outcome.refused)
  const { alternative, origin } = expectedOf(outcome.refused, known, answer, context.profile)
  const judged = findings(step, alternative, answer, context, origin)
  return [
    ...(known?.confidence === 'read' ? [...judgeByText(step, known, answer, context), ...judged.map(asRead)] : judged),
    ...judgeServerError(step, alternative, answer, context),
  ]
}

const findings = (step: Step, outcome: Outcome, answer: Answer, context: JudgeContext, origin?: Origin): Judgement[] =>
  compareOutcome(outcome, answer).map((finding) => toJudgement(step, context.judged, context, finding, origin))

/** What was only read of such participants is advice. */
const asRead = (judgement: Judgement): Judgement =>
  judgement.strength === 'must' ? { ...judgement, strength: 'should' } : judgement

/** The text itself holds where the rest was only read, unless just this is said to be different. */
function judgeByText(step: Step, known: ConditionOutcome, answer: Answer, context: JudgeContext): Judgement[] {
  if (known.divergence !== undefined || known.alternatives.some(({ accepted }) => accepted)) return []
  const { status } = refusedAs({}, context.profile)
  return findings(step, { ...(status && { status }) }, answer, context, { condition: known.condition })
}

// An outcome that tells no status would be met by success and refusal alike.
const acceptedOf = ({ accepted }: Profile): Outcome => ({ status: ['2xx'], ...accepted })
const refusedAs = (outcome: Outcome, { refused }: Profile): Outcome => ({
  status: refused.status ?? ['4xx'],
  ...outcome,
})

/** The outcome by which a refusal is judged: of several permitted ones the one that is met, or else the nearest. */
function expectedOf(
  condition: string,
  known: ConditionOutcome | undefined,
  answer: Answer,
  profile: Profile,
): { alternative: Outcome; origin: Origin } {
  if (!known) return { alternative: refusedAs(profile.refused, profile), origin: { condition } }
  const divergence = known.divergence === undefined ? {} : { divergence: known.divergence }
  if (known.accepted) return { alternative: acceptedOf(profile), origin: { condition, ...divergence } }
  const [nearest] = known.alternatives
    .map(({ name, accepted, ...outcome }) => {
      const alternative = accepted ? acceptedOf(profile) : refusedAs(outcome, profile)
      return { name, alternative, unmet: compareOutcome(alternative, answer).filter(({ met }) => !met).length }
    })
    .toSorted((a, b) => a.unmet - b.unmet)
  if (!nearest) return { alternative: refusedAs(profile.refused, profile), origin: { condition, ...divergence } }
  const name = known.alternatives.length > 1 ? `${condition} (${nearest.name})` : condition
  return { alternative: nearest.alternative, origin: { condition: name, ...divergence } }
}

/** A refusal by a server error breaks a rule of its own, unless the profile knows it as a divergence. */
function judgeServerError(step: Step, expected: Outcome, answer: Answer, context: JudgeContext): Judgement[] {
  if (expected.status?.some((status) => status.startsWith('5'))) return []
  const finding = { ...statusFinding(['2xx', '3xx', '4xx'], answer.status), expected: 'no server error (5xx)' }
  return [toJudgement(step, [implicitRules.noServerError], context, finding)]
}

function judgeExpectation(step: Step, answer: Answer, context: JudgeContext): Judgement[] {
  const { status, headers, body } = step.verdict.expect
  const judgements: Judgement[] = []
  if (status) judgements.push(toJudgement(step, context.judged, context, statusFinding(status, answer.status)))
  for (const [name, matcher] of headers ?? []) {
    judgements.push(...matched(step, matcher, `header ${name}`, undefined, answer.header(name), context))
  }
  // In what is no JSON nothing is "absent": the expectation speaks of a body that is there to be looked at.
  const isReadable = (pointer: string): boolean => answer.json !== undefined || (answer.isEmpty && pointer === '')
  for (const [pointer, matcher] of body ?? []) {
    const found = valueAt(answer.json, pointer)
    const divergence = divergenceAt(pointer, context)
    const wanted = divergence?.expect.get(pointer) ?? matcher
    const origin = divergence ? { divergence: divergence.id } : {}
    const all = matched(step, wanted, 'body', pointer, found, context, origin)
    const judged = divergence?.confidence === 'read' ? all.map(asRead) : all
    judgements.push(...(isReadable(pointer) ? judged : judged.map(unreadable)))
  }
  return judgements
}

const unreadable = (judgement: Judgement): Judgement => ({ ...judgement, actual: 'no JSON', met: false })

const divergenceAt = (pointer: string, { profile, judged }: JudgeContext): Divergence | undefined =>
  profile.divergences.find(({ rule, expect }) => judged.includes(rule) && expect.has(pointer))

function matched(
  step: Step,
  matcher: Matcher,
  subject: string,
  pointer: string | undefined,
  actual: JsonValue | undefined,
  context: JudgeContext,
  origin: Origin = {},
): Judgement[] {
  const place = pointer === undefined ? {} : { pointer }
  return withoutForms(matcher, context.profile).flatMap(({ matcher: wanted, read }) =>
    evaluate(wanted, actual, context.variables).map((match) => {
      const finding = { subject, ...place, ...match, actual: show(actual) }
      const judgement = toJudgement(step, context.judged, context, finding, origin)
      return read ? asRead(judgement) : judgement
    }),
  )
}

/** The body of a described success against the interface description. */
function judgeShape(step: Step, answer: Answer, context: JudgeContext): Judgement[] {
  const operation = Object.keys(operations).find((name): name is OperationName => name === context.operation)
  if (!operation || !step.verdict.expect.schema || answer.status < 200 || answer.status > 299) return []
  const shape = (finding: Finding): Judgement => toJudgement(step, [implicitRules.responseShape], context, finding)
  const expected = `the response of ${operation} as the interface describes it`
  if (answer.json === undefined) return [shape({ subject: 'body', expected, actual: 'no JSON', met: false })]
  // The interface describes one success; another 2xx is no licence to answer with anything.
  const violations = responseCheck(operation, 200, context.profile.basis)(answer.json)
  if (violations.length === 0) return [shape({ subject: 'body', expected, actual: expected, met: true })]
  return violations.map(({ pointer, message }) =>
    shape({ subject: 'body', pointer, expected: message, actual: show(valueAt(answer.json, pointer)), met: false }),
  )
}

const order: readonly Strength[] = ['must', 'should', 'may', 'client']

/** An expectation is as strong as the strongest rule it judges. */
function strongest(rules: readonly string[], context: JudgeContext): Strength {
  const found = rules.flatMap((id) => context.rules.get(id)?.strength ?? [])
  return order.find((strength) => found.includes(strength)) ?? 'must'
}
