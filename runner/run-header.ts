/** The header of a run record: what was run, on what, judged by what. */
import type { RecordedCheck, RunHeader } from '../record/record.js'
import type { Capabilities, Plan } from './plan/plan.js'
import type { Discovery } from './provision/discover.js'
import { recordedTexts } from './recorded-texts.js'
import type { RunOptions } from './run-options.js'
import type { TargetAccess } from './target/target-file.js'

export function headerOf(
  { suite, profile, target, embedded, tool, concurrency, only, access }: RunOptions,
  run: string,
  seed: string,
  capabilities: Capabilities,
  discovery: Discovery,
  plan: Plan,
): RunHeader {
  return {
    type: 'header',
    format: 1,
    run,
    tool,
    suite: { version: suite.version, digest: suite.digest, rows: suite.cases.flatMap(({ rows }) => rows).length },
    profile: { name: profile.name, title: profile.title },
    target: {
      url: target.url,
      ...(discovery.version !== undefined && { version: discovery.version }),
      authorization: target.authorization.kind,
      embedded,
      ...(access && { file: fileOf(access) }),
    },
    capabilities: had(capabilities),
    seed,
    concurrency,
    ...(only !== undefined && { only }),
    startedAt: new Date().toISOString(),
    planned: plan.rows.length + plan.serial.length + plan.left.length,
    ...recordedTexts(suite, profile),
  }
}

const fileOf = ({ file, unreachable, given, authorizes }: TargetAccess): NonNullable<RunHeader['target']['file']> => ({
  name: file,
  unreachable: [...unreachable],
  given: given.reduce((sum, { transactions }) => sum + transactions.length, 0),
  ...(authorizes && { authorizes }),
})

const had = (capabilities: Capabilities): RunHeader['capabilities'] =>
  Object.fromEntries(Object.entries(capabilities).map(([name, value]) => [name, value === true]))

/** The protocol version is only known when there are parties, which is after the plan has been made. */
export const headerAtVersion = (
  header: RunHeader,
  version: number | undefined,
  support: RecordedCheck[],
  { suite, profile }: RunOptions,
  capabilities: Capabilities,
): RunHeader => ({
  ...header,
  capabilities: had(capabilities),
  support,
  target: { ...header.target, ...(version !== undefined && { protocolVersion: version }) },
  ...recordedTexts(suite, profile),
})
