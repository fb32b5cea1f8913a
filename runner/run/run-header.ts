import { pathForOthers } from '../../lib/files/paths.js'
import { cutText } from '../../lib/redaction/redaction.js'
import { permissionNames } from '../../record/types/effects.js'
import type { RunHeader } from '../../record/types/record.js'
import type { RecordedOptions } from '../../record/types/recorded-options.js'
import type { RecordedCaller, RecordedConnection } from '../../record/types/recorded-target.js'
import type { Plan } from '../plan/plan.js'
import { type PlannedRow, selectionInWords } from '../plan/select.js'
import type { ExaminedTarget } from '../preflight/examine-target.js'
import { allowedIn, lateCheckDelay, type RunOptions } from '../preflight/run-options.js'
import type { StartedSession } from '../preflight/start-session.js'
import { hasOwnAudience } from '../provision/assign-users.js'
import type { ResolvedSuite } from '../suite/resolved-suite.js'
import type { ActorUsers } from '../target/actor-users.js'
import { proxyFor } from '../target/connection/proxy-for.js'
import type { Capabilities, Target } from '../target/target.js'
import type { TargetAccess } from '../target/target-file.js'
import { recordedVariables, type Variables } from '../template/variables.js'
import { waiversFor } from '../waivers/read-waivers.js'
import type { ProvisionedRun } from './provision-run.js'
import { recordedSettings, selectionIn, selectionOf } from './recorded-settings.js'

/** Members of the header that no exchange shows. All others are derived. */
export const statedMembers = [
  ...(['type', 'format', 'run', 'tool', 'seed', 'challenge', 'repeat', 'concurrency', 'timeLimits'] as const),
  ...(['allowed', 'options', 'settings', 'resumes', 'merged', 'waivers', 'lenientWaivers', 'minJudged'] as const),
  ...(['selection', 'startedAt', 'proof', 'redacted'] as const),
] as const satisfies readonly (keyof RunHeader)[]

/** Of `target`. */
export const statedTarget = ['url', 'authorization', 'ownAudience', 'embedded', 'connection', 'file'] as const

export type StatedHeader = Pick<RunHeader, (typeof statedMembers)[number] | 'target'>

export function statedHeader(options: RunOptions, started: StartedSession, seed: string): StatedHeader {
  const { target, embedded, tool, concurrency, repeat = 1, timeLimit, access } = options
  const { called, resume, waivers, minJudged } = options
  return {
    type: 'header',
    format: 4,
    run: started.id,
    tool,
    target: {
      url: target.url,
      authorization: authorizationOf(target),
      ...(hasOwnAudience(target) && { ownAudience: true }),
      embedded,
      ...connectionOf(target),
      ...declaredFile(access),
    },
    seed,
    ...(options.challenge !== undefined && { challenge: options.challenge }),
    ...(repeat > 1 && { repeat }),
    concurrency,
    timeLimits: { exchange: timeLimit, lateCheck: Math.round(lateCheckDelay(options)) },
    allowed: permissionNames.filter((name) => name === 'read' || allowedIn(options).has(name)),
    ...(called && { options: withoutFolders(called) }),
    settings: recordedSettings(options),
    ...(resume && { resumes: [...(resume.record.header.resumes ?? []), resume.record.header.run] }),
    ...(waivers && { waivers: waiversFor(waivers.all, target.url), ...(waivers.lenient && { lenientWaivers: true }) }),
    ...(minJudged !== undefined && { minJudged }),
    ...selectionIn(options),
    startedAt: started.startedAt,
    ...(options.proof && { proof: options.proof }),
  }
}

/** With the members that follow from the suite and from the exchanges before the run changes anything. */
export function headerOf(
  stated: StatedHeader,
  { discovery, capabilities, actorUsers }: ExaminedTarget,
  suite: ResolvedSuite,
  plan: Plan,
): RunHeader {
  const only = selectionInWords(selectionOf(stated))
  return {
    ...stated,
    suite: { version: suite.version, digest: suite.digest, rows: suite.rowCount },
    ...(suite.text && { text: suite.text }),
    profile: suite.profile,
    target: {
      ...stated.target,
      ...(discovery.version !== undefined && { version: shortened(discovery.version) }),
      ...(discovery.participantId !== undefined && { participant: discovery.participantId }),
    },
    capabilities: presentIn(capabilities),
    callers: callersOf(actorUsers, stated),
    ...wantsOf(plan),
    ...(only !== undefined && { only }),
    plan: [...plan.rows, ...plan.alone, ...plan.left].map(({ row }) => row.id),
    rules: suite.rules,
  }
}

const withoutFolders = ({ suite, ...rest }: RecordedOptions): RecordedOptions => ({
  ...(suite !== undefined && { suite: pathForOthers(suite) }),
  ...rest,
})

const authorizationOf = ({ authorization }: Target): string =>
  authorization.kind === 'minted' ? authorization.key.kind : authorization.kind

export function connectionOf({ url, connection }: Target): { connection?: RecordedConnection } {
  const proxy = proxyFor(new URL(url), connection)
  const { insecure, headers, ca, client } = connection
  const recorded: RecordedConnection = {
    ...(insecure && { insecure }),
    ...(proxy && { proxy: proxy.origin }),
    ...(headers.length > 0 && { headers: headers.map(([name]) => name) }),
    ...(ca !== undefined && { ca: true }),
    ...(client && { clientCertificate: true }),
  }
  return Object.keys(recorded).length === 0 ? {} : { connection: recorded }
}

const callersOf = ({ byActor }: ActorUsers, { settings, target }: StatedHeader): RecordedCaller[] => {
  const callers = settings?.callers ?? []
  const sources = new Map(callers.map(({ user, credential }) => [user, credential]))
  const declared = new Set(callers.flatMap(({ user, rights }) => (rights ? [user] : [])))
  const usual = target.authorization === 'none' ? 'none' : 'a token that the run signs'
  return [...byActor].map(([actor, { user, isCreated, rights }]) => ({
    actor,
    user,
    credential: sources.get(user) ?? usual,
    made: isCreated,
    ...(rights && { rights: [...rights] }),
    ...(rights && declared.has(user) && { declared: true }),
  }))
}

/** Largest first. A row that needs credentials and permissions is among the wants. */
function wantsOf({ left }: Plan): Pick<RunHeader, 'wants' | 'refusals'> {
  const wants = counted(
    left,
    ({ wants: credentials, permits: permissions }) =>
      credentials && { credentials: credentials.toSorted(), ...(permissions && { permissions: [...permissions] }) },
  )
  const refusals = counted(left, (one) => (one.permits && !one.wants ? { permissions: [...one.permits] } : undefined))
  return { ...(wants.length > 0 && { wants }), ...(refusals.length > 0 && { refusals }) }
}

function counted<Needed extends object>(
  left: readonly PlannedRow[],
  neededBy: (row: PlannedRow) => Needed | undefined,
): (Needed & { rows: number })[] {
  const counts = new Map<string, Needed & { rows: number }>()
  for (const row of left) {
    const needed = neededBy(row)
    if (!needed) continue
    const key = JSON.stringify(needed)
    counts.set(key, { ...needed, rows: (counts.get(key)?.rows ?? 0) + 1 })
  }
  return [...counts.values()].toSorted((a, b) => b.rows - a.rows)
}

/** Follows from the settings, so no signer can omit it. */
export const declaredFile = (access: TargetAccess): Pick<RunHeader['target'], 'file'> =>
  isDeclared(access) ? { file: fileOf(access) } : {}

const isDeclared = ({ file, unreachable, given, presigned }: TargetAccess): boolean =>
  file !== '' || unreachable.size > 0 || given.size > 0 || presigned.length > 0

/** Characters: every report shows the version. */
const longestVersion = 200

const shortened = (version: string): string =>
  version.length <= longestVersion ? version : `${cutText(version, longestVersion)} [${version.length} characters]`

const fileOf = ({ file, unreachable, presigned, given }: TargetAccess): RunHeader['target']['file'] & object => ({
  name: file === '' ? '' : pathForOthers(file),
  unreachable: [...unreachable],
  presigned: presigned.reduce((sum, { transactions }) => sum + transactions.length, 0),
  ...(given.size > 0 && { given: [...given.keys()] }),
})

const presentIn = (capabilities: Capabilities): RunHeader['capabilities'] =>
  Object.fromEntries(Object.entries(capabilities).map(([name, value]) => [name, value === true]))

export const refinedHeader = (
  header: RunHeader,
  { suite, capabilities, support, protocolVersion, plan, fixtures: { controls }, made }: ProvisionedRun,
  variables: Variables,
): RunHeader => ({
  ...header,
  ...wantsOf(plan),
  made,
  profile: suite.profile,
  capabilities: presentIn(capabilities),
  support,
  ...(controls.length > 0 && { controls: [...controls] }),
  target: { ...header.target, ...(protocolVersion !== undefined && { protocolVersion }) },
  variables: recordedVariables(variables),
})
