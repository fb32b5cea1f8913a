import { proofOf } from '../../proof/mutation-report.js'
import { readMutationReport } from '../../proof/read-mutation-report.js'
import { isFailure } from '../../reports/wording/rows.js'
import { defaultConcurrency, defaultProfile, defaultResults } from '../../reports/wording/shell.js'
import { loadSuite } from '../../runner/load/load-suite.js'
import type { Selection } from '../../runner/plan/select.js'
import { readShard, type Shard } from '../../runner/plan/shard.js'
import type { RunOptions } from '../../runner/preflight/run-options.js'
import type { Suite } from '../../runner/suite/suite.js'
import { findUnknownName } from '../../runner/target/known-names.js'
import type { RunSettings, Settings } from '../../runner/target/read-settings.js'
import { anyone } from '../../runner/target/target.js'
import type { TargetAccess } from '../../runner/target/target-file.js'
import { readWaivers } from '../../runner/waivers/read-waivers.js'
import { UsageError } from '../console/usage-error.js'
import { readRun } from '../output/read-run.js'
import { waitFor } from '../output/wait-for-runs.js'
import { suitePath, toolIdentity } from '../tool/tool.js'
import { profileOf } from './profile-of.js'

/** Options of a run that need no target to be known. */
export type ConfiguredOptions = Omit<RunOptions, 'target' | 'embedded' | 'recordFile'>

/** Everything that can be wrong in a call is, before a folder is made or anything is sent. Throws `UsageError`, `SuiteError`. */
export async function runOptionsOf(settings: Settings): Promise<ConfiguredOptions> {
  const { run: said, access } = settings
  const suite = await loadSuite(suitePath(said.suite))
  const report = await readMutationReport(suitePath(said.suite))
  return {
    ...ownOptions(settings, suite),
    suite,
    profile: profileOf(suite, said.profile ?? defaultProfile),
    tool: toolIdentity(),
    ...(report && { proof: proofOf(report) }),
    concurrency: said.concurrency ?? defaultConcurrency(settings.url === undefined),
    timeLimit: (said.requestTimeout ?? 30) * 1000,
    ...(said.lateDelay !== undefined && { lateDelay: said.lateDelay * 1000 }),
    redact: said.redact.map(patternOf),
    ...(said.allow && { allow: said.allow }),
    ...(said.minJudged !== undefined && { minJudged: said.minJudged }),
    ...(said.waivers !== undefined && {
      waivers: { all: await readWaivers(said.waivers), lenient: said.lenientWaivers ?? false },
    }),
    ...(said.wait !== undefined && { wait: said.wait }),
    ...(await selectionOf(said, access)),
    ...(said.seed !== undefined && !said.shuffle && { seed: said.seed }),
    ...(said.repeat !== undefined && { repeat: said.repeat }),
    ...(said.failFast !== undefined && { failFast: said.failFast }),
    ...(said.aloneAfter && { beforeAlone: waitFor(said.aloneAfter, said.seed) }),
  }
}

/** What the options of a run say of its target. Throws `UsageError`. */
export function ownOptions(
  settings: Settings,
  suite: Suite,
): Pick<RunOptions, 'access' | 'called' | 'protocolVersion'> {
  const { access, run: said } = settings
  expectNames(settings, suite)
  return {
    access,
    called: calledWith(said),
    ...(said.protocolVersion !== undefined && { protocolVersion: said.protocolVersion }),
  }
}

/** A misspelt actor or fixture would be without effect. */
function expectNames({ callers, access }: Settings, suite: Suite): void {
  const parties = [...suite.fixtures.values()].filter(({ party }) => party).map(({ name }) => name)
  const actor = findUnknownName(callers.keys(), [...suite.actors.keys(), anyone])
  if (actor !== undefined) throw new UsageError(`callers: the suite has no actor ${actor}`)
  const party = findUnknownName(access.parties.keys(), parties)
  if (party !== undefined) throw new UsageError(`parties: the suite has no party ${party}`)
}

const calledWith = ({
  suite,
  out = defaultResults,
  protocolVersion,
  allow,
  redact,
}: RunSettings): RunOptions['called'] & object => ({
  ...(suite !== undefined && { suite }),
  ...{ out },
  ...(protocolVersion !== undefined && { protocolVersion }),
  ...(allow && { allow: [...allow] }),
  ...(redact.length > 0 && { redactions: redact.length }),
})

/** Throws `UsageError`. */
export function patternOf(text: string): RegExp {
  try {
    return new RegExp(text, 'gu')
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new UsageError(`redact: this is no regular expression (${why})`, { cause })
  }
}

/** Which rows are meant by the settings. Throws `UsageError`, and `RecordError` where the run whose failures are meant cannot be read. */
async function selectionOf(said: RunSettings, { presigned }: Pick<TargetAccess, 'presigned'>): Promise<Selection> {
  const { operations, only, not, impact, failedOf, shard } = said
  return {
    ...(operations && { operations }),
    ...(only && { only }),
    ...(not && { not }),
    ...(impact && { impact }),
    ...(failedOf !== undefined && { failedOf: await failedIn(failedOf) }),
    ...(shard !== undefined && { shard: { ...partOf(shard), presigned: presigned.length > 0 } }),
  }
}

async function failedIn(path: string): Promise<Selection['failedOf'] & object> {
  const { header, rows } = await readRun(path)
  return { run: header.run, ids: new Set(rows.filter(isFailure).map(({ id }) => id)) }
}

function partOf(text: string): Shard {
  const shard = readShard(text)
  if (shard) return shard
  throw new UsageError(`shard: expected a part of several, from 1, as 2/3, and not ${text}`)
}
