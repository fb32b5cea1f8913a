/** The header of a run record: what was run, on what, judged by what. */
import type { RecordedProfile, RunHeader } from '../record/record.js'
import type { ExaminedTarget } from './examine-target.js'
import type { Plan } from './plan/plan.js'
import type { ProvisionedRun } from './provision-run.js'
import type { RunOptions } from './run-options.js'
import type { ResolvedSuite } from './suite/resolved-suite.js'
import type { Capabilities } from './target/capabilities.js'
import type { TargetAccess } from './target/target-file.js'
import { recordedVariables } from './template/recorded-variables.js'
import type { Variables } from './template/variables.js'

/** What is known once the plan is made; `seed` decided its order. */
export function headerOf(
  { target, embedded, tool, concurrency, only, access, called, resume }: RunOptions,
  run: string,
  seed: string,
  { discovery, capabilities }: Pick<ExaminedTarget, 'discovery' | 'capabilities'>,
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
      authorization: target.authorization.kind,
      embedded,
      ...(access && { file: fileOf(access) }),
    },
    capabilities: had(capabilities),
    seed,
    concurrency,
    ...(called && { options: called }),
    ...(resume && { resumes: [...(resume.record.header.resumes ?? []), resume.record.header.run] }),
    ...(only !== undefined && { only }),
    startedAt: new Date().toISOString(),
    planned: plan.rows.length + plan.alone.length + plan.left.length,
    rules: suite.rules,
  }
}

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
  { suite, capabilities, support, protocolVersion }: ProvisionedRun,
  otherProfiles: RecordedProfile[],
  variables: Variables,
): RunHeader => ({
  ...header,
  profile: suite.profile,
  ...(otherProfiles.length > 0 && { otherProfiles }),
  capabilities: had(capabilities),
  support,
  target: { ...header.target, ...(protocolVersion !== undefined && { protocolVersion }) },
  variables: recordedVariables(variables),
})
