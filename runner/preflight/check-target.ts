/** The checks that a run begins with: whether somebody is there, who it is, and whether he lets us in. */
import { checkClock, skewOf } from '../doctor/clock.js'
import { checkConnectivity } from '../doctor/connectivity.js'
import { type Finding, preventsRun, stop, UnusableTarget, warning } from '../doctor/finding.js'
import { checkFirstResponse } from '../doctor/first-response.js'
import { checkProfile } from '../doctor/profile-fit.js'
import { isNotReady, waitAdvice, waitUntilReady } from '../doctor/readiness.js'
import { explainRefusedToken } from '../doctor/refused-token.js'
import { findDefaultUser } from '../provision/assign-users.js'
import type { ResolvedSuite } from '../suite/resolved-suite.js'
import { NoSynchronizer, TargetError, TargetRejection, TokenRejected } from '../target/target.js'
import { type ExaminedTarget, examineTarget } from './examine-target.js'
import type { RunOptions } from './run-options.js'
import type { StartedSession } from './start-session.js'

/** What showed; the target is absent where it could not be examined, and then a finding stops the run. */
export interface Look {
  findings: Finding[]
  target?: ExaminedTarget
  /** Milliseconds by which the clock of the target is ahead, if it tells. */
  skew?: number
  /** It tells its version to anybody. */
  isOpen?: boolean
}

/** Milliseconds for a handshake. */
const handshakeLimit = 10_000

/**
 * Looks, waits where it may be waited, and examines the target. What stands against a run becomes a finding. Throws
 * `EndedBeforeRows` where it is ended while it waits, and `ProxySettingError`.
 */
export async function checkTarget(
  options: RunOptions,
  suite: Pick<ResolvedSuite, 'fixtures' | 'actors'>,
  started: StartedSession,
  told: (sentence: string) => void,
): Promise<Look> {
  const look: Look = { findings: [] }
  try {
    await waitFor(options, started, told)
    await checkWithoutToken(look, options, started)
    if (look.findings.some(preventsRun)) return look
    look.findings.push(...(await speakerFindings(look, options, started)))
    if (look.findings.some(preventsRun)) return look
    look.target = await examineTarget(options, suite, started)
    const { version } = look.target.discovery
    look.findings.push(...checkProfile(version, options.profile, options.suite.profiles))
  } catch (error) {
    if (!(error instanceof TargetError)) throw error
    look.findings.push(await findingOf(error, look, options))
  }
  return look
}

async function findingOf(error: TargetError, { skew }: Look, { target, wait }: RunOptions): Promise<Finding> {
  if (error instanceof TokenRejected) return explainRefusedToken(error, target, skew)
  if (error instanceof NoSynchronizer)
    return stop('synchronizers', 'no-synchronizer', error.message, { advice: `connect it; ${waitAdvice(wait)}` })
  return stop('rows', 'cannot-begin', error.message)
}

/** The examined target, where a run makes sense; warnings are told. Throws `SenselessRun`, and as `lookBefore`. */
export async function expectUsableTarget(...given: Parameters<typeof checkTarget>): Promise<ExaminedTarget> {
  const { findings, target } = await checkTarget(...given)
  const reasons = findings.filter(preventsRun)
  if (!target || reasons.length > 0) throw new UnusableTarget(reasons)
  const [, , , told] = given
  for (const { what, advice } of findings.filter(({ level }) => level === 'warning'))
    told(advice === undefined ? `${what}.` : `${what}: ${advice}.`)
  return target
}

function waitFor(
  { wait, target, access }: RunOptions,
  { beforehand, end }: StartedSession,
  told: (sentence: string) => void,
): Promise<void> {
  if (wait === undefined) return Promise.resolve()
  const call = beforehand.as(findDefaultUser(target))
  const unreachable = access?.unreachable ?? new Set<string>()
  return waitUntilReady({ limit: wait, unreachable, probe: beforehand.probe, call, end, told })
}

/** As somebody who is nobody: no token is sent to who may be no participant. */
async function checkWithoutToken(look: Look, options: RunOptions, { beforehand }: StartedSession): Promise<void> {
  const { target, timeLimit, access } = options
  const limit = Math.min(handshakeLimit, timeLimit)
  look.findings.push(...(await checkConnectivity(new URL(target.url), target.connection, limit, new Date())))
  if (look.findings.some(preventsRun) || access?.unreachable.has('version')) return
  const answer = await beforehand.probe('version')
  const first = checkFirstResponse(answer, target, options.wait)
  look.findings.push(first)
  if (preventsRun(first)) return
  look.isOpen = answer.response?.status === 200
  const skew = skewOf(answer)
  if (skew !== undefined) look.skew = skew
  look.findings.push(checkClock(skew))
  if (access?.unreachable.has('readyz') || !isNotReady(await beforehand.probe('readyz'))) return
  const advice = `its log, or the text of that answer, tells what it waits for; ${waitAdvice(options.wait)}`
  look.findings.push(
    warning('way', 'not-serving', 'GET /readyz is answered with 503: the target is not ready', { advice }),
  )
}

/** Everybody may ask for the version: whose token is right and who is refused all the same is no user there. */
async function speakerFindings({ isOpen }: Look, { target }: RunOptions, { as }: StartedSession): Promise<Finding[]> {
  if (target.authorization.kind === 'none' || !isOpen) return []
  const user = findDefaultUser(target)
  try {
    await as(user)('version')
    return []
  } catch (error) {
    // Any other answer is for those who need the version.
    if (!(error instanceof TargetRejection) || error.status === 401) throw error
    if (error.status !== 403) return []
    const advice = 'make the user there, or name the one that is meant by --user or --administrator'
    const what = `the target knows no user ${user}, or has deactivated it: ${error.message}`
    return [stop('credentials', 'user-unknown', what, { advice, facts: { user } })]
  }
}
