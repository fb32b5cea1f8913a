/** Makes what cases need to be there, and remembers why if it could not. */
import type { ResolvedStep } from '../../record/resolved-row.js'
import { performStep } from '../execute/perform-step.js'
import type { Session } from '../execute/session.js'
import { isAcceptedSubmission } from '../judge/accepted-submission.js'
import { isDeclined, lackingOf } from '../judge/declined.js'
import { judgeExchange } from '../judge/judge-exchange.js'
import type { ResolvedFixture } from '../suite/resolved-suite.js'
import { byKeys } from '../template/keyed-generation.js'
import { type Variables, withValues } from '../template/variables.js'

export interface Fixtures {
  variables: Variables
  /** Fixtures that could not be made, each with the cause. */
  failed: ReadonlyMap<string, string>
  /** Fixtures that the target need not let be made, and does not, each with the cause. */
  declined: ReadonlyMap<string, string>
  /** Fixtures that have left a contract. */
  contracts: readonly string[]
  /** Submissions that were accepted. */
  transactions: number
}

/** Performs the steps of the fixtures one after the other; parties and keys are there already. */
export async function makeFixtures(
  fixtures: readonly ResolvedFixture[],
  variables: Variables,
  session: Session,
): Promise<Fixtures> {
  const failed = new Map<string, string>()
  const contracts: string[] = []
  let transactions = 0
  const declined = new Map<string, string>()
  let known = variables
  for (const fixture of fixtures) {
    if (fixture.party || fixture.key) continue
    if (fixture.prepared) {
      known = withMembers(known, fixture.name, fixture.prepared)
      continue
    }
    const lacking = fixture.fixtures.find((name) => declined.has(name))
    if (lacking !== undefined) {
      declined.set(fixture.name, `it is made from ${lacking}: ${declined.get(lacking) ?? ''}`)
      continue
    }
    const made = await makeFixture(fixture, known, session)
    known = made.variables
    transactions += made.transactions
    if (made.transactions > 0) contracts.push(fixture.name)
    if (made.problem) (made.problem.isDeclined ? declined : failed).set(fixture.name, made.problem.cause)
  }
  return { variables: known, failed, declined, contracts, transactions }
}

const withMembers = (variables: Variables, name: string, members: Readonly<Record<string, string>>): Variables =>
  new Map([...variables, ...Object.entries(members).map(([member, value]) => [`${name}.${member}`, value] as const)])

async function makeFixture(
  fixture: ResolvedFixture,
  variables: Variables,
  session: Session,
): Promise<{ variables: Variables; transactions: number; problem?: Problem }> {
  // The marker keeps what the fixture sends apart from what rows send.
  const marked = new Map(variables).set('row', `${String(variables.get('run'))}-${fixture.name}`)
  let transactions = 0
  let scope = withValues(fixture.values, marked, byKeys(session.keys))
  for (const [index, step] of fixture.steps.entries()) {
    const done = await performStep(step, { step: index, role: step.role }, scope, session)
    scope = done.variables
    if (isAcceptedSubmission(step, done.evidence)) transactions += 1
    const problem = problemOf(step, done, scope)
    if (problem) return { variables, transactions, problem }
  }
  const made = new Map(scope)
  for (const name of ['row', ...Object.keys(fixture.values)]) made.delete(name)
  return { variables: made, transactions }
}

interface Problem {
  cause: string
  /** The text lets the target decline it. */
  isDeclined: boolean
}

function problemOf(
  step: ResolvedStep,
  { evidence, missing }: Pick<Awaited<ReturnType<typeof performStep>>, 'evidence' | 'missing'>,
  variables: Variables,
): Problem | undefined {
  const told = evidence.response?.body.text?.slice(0, 300) ?? ''
  const unmet = judgeExchange(step, evidence, variables).find(({ met }) => !met)
  if (unmet) {
    const cause = `${step.name}: expected ${unmet.subject} ${unmet.expected}, found ${unmet.actual} ${told}`.trim()
    return { cause, isDeclined: false }
  }
  if (isDeclined(step, evidence)) {
    const cause = `${step.name} is refused with ${evidence.response?.status ?? 'nothing'} ${told}`.trim()
    return { cause, isDeclined: true }
  }
  if (missing.length === 0) return undefined
  const cause = `${step.name} did not give ${missing.join(', ')}`
  return { cause, isDeclined: lackingOf(step, evidence) !== undefined }
}
