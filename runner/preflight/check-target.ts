import { operationNames } from '../../interface/operations.js'
import type { Evidence } from '../../record/types/record.js'
import { checkConnectivity } from '../doctor/connectivity.js'
import { type Finding, good, preventsRun, stop, UnusableTarget, warning } from '../doctor/finding.js'
import {
  checkClock,
  checkFirstResponse,
  isServed,
  lacksOperation,
  returnedText,
  skewOf,
  waitAdvice,
} from '../doctor/first-response.js'
import { explainRefusedToken } from '../doctor/identity.js'
import { checkProfile, chooseProfile, type ProfileChoice } from '../doctor/profile-choice.js'
import { answerOf } from '../judge/answer.js'
import { selectRows } from '../plan/select.js'
import { findDefaultUser } from '../provision/assign-users.js'
import { MissingMember, NoSynchronizer, TargetError, TargetRejection, TokenRejected } from '../target/target.js'
import { stringAt } from '../template/pointer.js'
import { type ExaminedTarget, examineTarget } from './examine-target.js'
import { type RunOptions, suiteOf } from './run-options.js'
import type { StartedSession } from './start-session.js'
import { isNotReady, waitUntilReady } from './wait-until-ready.js'

export interface TargetCheck {
  findings: Finding[]
  /** The cause of the last finding. */
  failure?: TargetError
  target?: ExaminedTarget
  choice?: ProfileChoice
  /** Milliseconds by which the target's clock is ahead. */
  skew?: number
  /** The answer to a request of the version without a token. */
  first?: Evidence
}

/** What a run reports of its target before it plans. */
export interface TargetNotices {
  notice?(sentence: string): void
  warning?(finding: Finding): void
}

/** Milliseconds. */
const handshakeLimit = 10_000

/**
 * Resolves the suite after the first request, so that the resolution does not delay it. Each `TargetError` becomes a
 * finding. Throws `EndedBeforeRows`, `UsageError` and `ResolveError`.
 * @example
 * const { findings, target } = await checkTarget(options, started, print)
 * findings.some(preventsRun) // false
 * target?.discovery.participantId // 'participant1::1220…'
 */
export async function checkTarget(
  options: RunOptions,
  started: StartedSession,
  notify: (sentence: string) => void,
): Promise<TargetCheck> {
  const check: TargetCheck = { findings: [] }
  try {
    await waitUntilReady(options, started, notify)
    await checkWithoutToken(check, options, started)
    if (check.findings.some(preventsRun)) return check
    check.findings.push(...(await checkDefaultUser(check, options, started)))
    if (check.findings.some(preventsRun)) return check
    check.choice = chooseProfile(options, await readVersion(check, options, started))
    check.findings.push(checkProfile(check.choice))
    const chosen = { ...options, profile: check.choice.profile }
    check.target = await examineTarget(chosen, suiteOf(chosen), started)
    check.findings.push(...check.target.missing)
  } catch (error) {
    if (!(error instanceof TargetError)) throw error
    check.failure = error
    check.findings.push(await findingFor(error, check, options))
  }
  return check
}

async function findingFor(error: TargetError, { skew }: TargetCheck, { target, wait }: RunOptions): Promise<Finding> {
  if (error instanceof TokenRejected) return explainRefusedToken(error, target, skew)
  if (error instanceof NoSynchronizer)
    return stop('synchronizers', 'no-synchronizer', error.message, {
      advice: `Connect the participant to a synchronizer. ${waitAdvice(wait)}`,
    })
  return stop('rows', 'cannot-begin', error.message, error instanceof MissingMember ? { advice: error.advice } : {})
}

/** Throws `UnusableTarget`, and as `checkTarget`. */
export async function expectUsableTarget(
  options: RunOptions,
  started: StartedSession,
  notices: TargetNotices,
): Promise<{ target: ExaminedTarget; choice: ProfileChoice }> {
  const { findings, target, choice } = await checkTarget(options, started, (sentence) => notices.notice?.(sentence))
  const reasons = findings.filter(preventsRun)
  if (!target || !choice || reasons.length > 0) throw new UnusableTarget(reasons)
  for (const one of findings) if (one.level === 'warning') notices.warning?.(one)
  return { target, choice }
}

/** The server may not be a participant, so it receives no token. */
async function checkWithoutToken(
  check: TargetCheck,
  options: RunOptions,
  { beforehand }: StartedSession,
): Promise<void> {
  const { target, timeLimit, access, wait } = options
  const limit = Math.min(handshakeLimit, timeLimit)
  check.findings.push(...(await checkConnectivity(new URL(target.url), target.connection, limit, new Date())))
  if (check.findings.some(preventsRun) || access.unreachable.has('version')) return
  const answer = await beforehand.probe('version')
  const first = checkFirstResponse(answer, target, wait)
  const found = lacksOperation(answer) ? await findServed(options, beforehand.probe, first) : first
  check.findings.push(found)
  if (preventsRun(found)) return
  check.first = answer
  const skew = skewOf(answer)
  if (skew !== undefined) check.skew = skew
  check.findings.push(checkClock(skew))
  if (access.unreachable.has('readyz') || !isNotReady(await beforehand.probe('readyz'))) return
  const advice = `Its body or the participant's log gives the reason. ${waitAdvice(wait)}`
  check.findings.push(warning('way', 'not-serving', 'GET /readyz returned 503: the target is not ready', { advice }))
}

/**
 * Without its version, a target is a participant if it has an operation of the selected rows. `first`: the finding about
 * the version, which otherwise also names the answers of these operations.
 */
async function findServed(
  options: RunOptions,
  probe: StartedSession['beforehand']['probe'],
  first: Finding,
): Promise<Finding> {
  const { profile } = chooseProfile(options, undefined)
  const { rows } = suiteOf({ ...options, profile })
  const tested = new Set(selectRows(rows, options).map(({ operation }) => operation))
  const seen: string[] = []
  for (const name of operationNames.filter((one) => tested.has(one))) {
    const answer = await probe(name)
    if (isServed(answer)) return good('way', 'answers', `the target has ${name}, and does not return its version`)
    seen.push(returnedText(answer))
  }
  return { ...first, what: [first.what, ...seen].join('; ') }
}

/** Undefined if the target does not return it. Later requests report why. */
async function readVersion(
  { first }: TargetCheck,
  { target, access }: RunOptions,
  { as }: StartedSession,
): Promise<string | undefined> {
  if (first?.response?.status === 200) return stringAt(answerOf(first)?.json, '/version')
  if (first === undefined || access.unreachable.has('version') || lacksOperation(first)) return undefined
  try {
    return stringAt(await as(findDefaultUser(target))('version'), '/version')
  } catch (error) {
    if (error instanceof TargetError) return undefined
    throw error
  }
}

/** Every known user may read the version: a 403 for a valid token means an unknown user. */
async function checkDefaultUser(
  { first }: TargetCheck,
  { target }: RunOptions,
  { as }: StartedSession,
): Promise<Finding[]> {
  if (target.authorization.kind === 'none' || first?.response?.status !== 200) return []
  const user = findDefaultUser(target)
  try {
    await as(user)('version')
    return []
  } catch (error) {
    // Later requests report any other error.
    if (!(error instanceof TargetRejection) || error.status === 401) throw error
    if (error.status !== 403) return []
    const advice = 'Create the user on the target, or name another one with --user or --administrator.'
    const what = `the target does not know the user ${user}, or the user is deactivated: ${error.message}`
    return [stop('credentials', 'user-unknown', what, { advice, facts: { user } })]
  }
}
