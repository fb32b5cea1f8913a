/** The header of a run record: what was run, on what, judged by what. */
import type { RecordedCaller, RecordedConnection, RecordedProfile, RecordedWant, RunHeader } from '../record/record.js'
import type { ExaminedTarget } from './examine-target.js'
import type { Plan } from './plan/plan.js'
import type { ProvisionedRun } from './provision-run.js'
import type { RunOptions } from './run-options.js'
import type { ResolvedSuite } from './suite/resolved-suite.js'
import type { Capabilities } from './target/capabilities.js'
import type { Cast } from './target/cast.js'
import { proxyFor } from './target/connection/proxy-for.js'
import type { Target } from './target/target.js'
import type { TargetAccess } from './target/target-file.js'
import { recordedVariables } from './template/recorded-variables.js'
import type { Variables } from './template/variables.js'

/** What is known once the plan is made; `seed` decided its order. */
export function headerOf(
  { target, embedded, tool, concurrency, timeLimit, only, access, called, resume }: RunOptions,
  run: string,
  seed: string,
  { discovery, capabilities, cast }: Pick<ExaminedTarget, 'discovery' | 'capabilities' | 'cast'>,
  suite: ResolvedSuite,
  plan: Plan,
): RunHeader {
  return {
    type: 'header',
    format: 2,
    run,
    tool,
    suite: { version: suite.version, digest: suite.digest, rows: suite.rows.length },
    ...(suite.text && { text: suite.text }),
    profile: suite.profile,
    target: {
      url: target.url,
      ...(discovery.version !== undefined && { version: shortened(discovery.version) }),
      authorization: authorizationOf(target),
      embedded,
      ...connectionOf(target),
      ...(access && isTold(access) && { file: fileOf(access) }),
    },
    capabilities: had(capabilities),
    seed,
    concurrency,
    timeLimits: { exchange: timeLimit },
    callers: callersOf(cast, target),
    ...wantsOf(plan),
    ...(called && { options: called }),
    ...(resume && { resumes: [...(resume.record.header.resumes ?? []), resume.record.header.run] }),
    ...(only !== undefined && { only }),
    startedAt: new Date().toISOString(),
    planned: plan.rows.length + plan.alone.length + plan.left.length,
    rules: suite.rules,
  }
}

const authorizationOf = ({ authorization }: Target): string =>
  authorization.kind === 'minted' ? authorization.key.kind : authorization.kind

function connectionOf({ url, connection }: Target): { connection?: RecordedConnection } {
  const proxy = proxyFor(new URL(url), connection)
  const { insecure, headers, ca, client } = connection
  const told: RecordedConnection = {
    ...(insecure && { insecure }),
    ...(proxy && { proxy: proxy.origin }),
    ...(headers.length > 0 && { headers: headers.map(([name]) => name) }),
    ...(ca !== undefined && { ca: true }),
    ...(client && { clientCertificate: true }),
  }
  return Object.keys(told).length === 0 ? {} : { connection: told }
}

const callersOf = ({ players }: Cast, target: Target): RecordedCaller[] => {
  const sources = new Map([...target.callers.values()].map(({ user, source }) => [user, source?.origin]))
  const usual = target.authorization.kind === 'none' ? 'none' : 'a token that the run signs'
  return [...players].map(([actor, { user, made }]) => ({ actor, user, credential: sources.get(user) ?? usual, made }))
}

/** By what would open the rows; most rows first. */
function wantsOf({ left }: Plan): { wants?: RecordedWant[] } {
  const counts = new Map<string, RecordedWant>()
  for (const { wants = [] } of left) {
    if (wants.length === 0) continue
    const name = wants.toSorted().join()
    const { rows } = counts.get(name) ?? { rows: 0 }
    counts.set(name, { credentials: wants.toSorted(), rows: rows + 1 })
  }
  const wants = [...counts.values()].toSorted((a, b) => b.rows - a.rows)
  return wants.length === 0 ? {} : { wants }
}

/** A file without a name: the command line or the environment said as much. */
const isTold = ({ file, unreachable }: TargetAccess): boolean => file !== '' || unreachable.size > 0

/** Every report shows it: what is longer is no version. */
const longestVersion = 200

const shortened = (version: string): string =>
  version.length <= longestVersion ? version : `${version.slice(0, longestVersion)} … [${version.length} characters]`

const fileOf = ({
  file,
  unreachable,
  presigned,
  authorizes,
}: TargetAccess): NonNullable<RunHeader['target']['file']> => ({
  name: file,
  unreachable: [...unreachable],
  presigned: presigned.reduce((sum, { transactions }) => sum + transactions.length, 0),
  ...(authorizes && { authorizes }),
})

const had = (capabilities: Capabilities): RunHeader['capabilities'] =>
  Object.fromEntries(Object.entries(capabilities).map(([name, value]) => [name, value === true]))

/** The same with what only shows once there are parties, such as the protocol version. */
export const refinedHeader = (
  header: RunHeader,
  { suite, capabilities, support, protocolVersion, plan }: ProvisionedRun,
  otherProfiles: RecordedProfile[],
  variables: Variables,
): RunHeader => ({
  ...header,
  ...wantsOf(plan),
  profile: suite.profile,
  ...(otherProfiles.length > 0 && { otherProfiles }),
  capabilities: had(capabilities),
  support,
  target: { ...header.target, ...(protocolVersion !== undefined && { protocolVersion }) },
  variables: recordedVariables(variables),
})
