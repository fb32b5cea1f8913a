import { basename } from 'node:path'
import { omitUndefined } from '../../lib/omit-undefined.js'
import { findUnknownName } from '../../lib/suggest.js'
import { UsageError } from '../../lib/usage-error.js'
import type { RecordedOptions } from '../../record/types/recorded-options.js'
import { isFailure } from '../../reports/wording/rows.js'
import { defaultConcurrency } from '../../reports/wording/shell.js'
import type { ProfileSource } from '../../runner/doctor/profile-choice.js'
import { proofOf, readMutationReport } from '../../runner/load/mutation-report.js'
import { memberOf } from '../../runner/plan/given-fixtures.js'
import { expectMatches, readShard, type Selection } from '../../runner/plan/select.js'
import type { ConfiguredOptions } from '../../runner/preflight/run-options.js'
import { namesIn } from '../../runner/resolve/resolve-suite.js'
import type { Suite } from '../../runner/suite/suite.js'
import type { Settings } from '../../runner/target/read-settings.js'
import type { RunSettings } from '../../runner/target/run-settings.js'
import { anyone } from '../../runner/target/target.js'
import type { TargetAccess } from '../../runner/target/target-file.js'
import { readWaivers } from '../../runner/waivers/read-waivers.js'
import { readRun } from '../output/read-run.js'
import { waitFor } from '../output/wait-for-runs.js'
import { conformanceModel } from '../tool/conformance-model.js'
import { suitePath, toolIdentity } from '../tool/tool.js'
import { loadWithProfile } from './profile-of.js'

interface OwnOptions {
  access: TargetAccess
  called: RecordedOptions
  protocolVersion?: number
}

/** Before the run creates a folder or sends a request. Rejects with `UsageError` and `FindingsError`. */
export async function runOptionsOf(settings: Settings): Promise<ConfiguredOptions> {
  const { run, access } = settings
  const { suite, profile } = await loadWithProfile(run)
  expectMatches(run.only, namesIn(suite))
  const report = await readMutationReport(suitePath(run.suite))
  const lenient = run.waiversLenient ?? false
  return {
    ...ownOptions(settings, suite),
    suite,
    profile,
    profileBy: profileSource(settings),
    tool: toolIdentity(),
    model: conformanceModel,
    concurrency: run.concurrency ?? defaultConcurrency(settings.url === undefined),
    timeLimit: (run.requestTimeout ?? 30) * 1000,
    redact: run.redact.map(patternOf),
    ...(await selectionOf(run, access)),
    ...omitUndefined({
      proof: report && proofOf(report),
      lateDelay: run.lateDelay === undefined ? undefined : run.lateDelay * 1000,
      allow: run.allow,
      minJudged: run.minJudged,
      waivers: run.waivers === undefined ? undefined : { all: await readWaivers(run.waivers), lenient },
      wait: run.wait,
      seed: run.shuffle ? undefined : run.seed,
      repeat: run.repeat,
      keepUsers: run.keepUsers,
      failFast: run.failFast,
      beforeAlone: run.aloneAfter && waitFor(run.aloneAfter, run.seed),
    }),
  }
}

/** Findings are part of the record, so a file appears without its folder. */
const profileSource = ({ run, sources }: Settings): ProfileSource =>
  run.profile === undefined ? 'version' : { setting: basename(sources.get('profile') ?? 'the settings') }

/** Throws `UsageError`. */
export function ownOptions(settings: Settings, suite: Suite): OwnOptions {
  const { access, run } = settings
  expectNames(settings, suite)
  return {
    access,
    called: calledWith(run),
    ...(run.protocolVersion !== undefined && { protocolVersion: run.protocolVersion }),
  }
}

function expectNames({ callers, access, sources }: Settings, suite: Suite): void {
  const expect = (setting: string, names: Iterable<string>, known: readonly string[], what: string): void => {
    for (const name of names) {
      const unknown = findUnknownName([name], known)
      if (unknown === undefined) continue
      const source = sources.get(`${setting}.${name}`) ?? ''
      // An option or a variable needs no place.
      const place = /:\d+$/.test(source) ? `${source}: ` : ''
      throw new UsageError(`${place}${setting}: the suite ${what} ${unknown}`)
    }
  }
  const parties = [...suite.fixtures.values()].filter(({ party }) => party).map(({ name }) => name)
  const created = createdMembers(suite)
  expect('callers', callers.keys(), [...suite.actors.keys(), anyone], 'has no actor')
  expect('parties', access.parties.keys(), parties, 'has no party')
  expect('given', access.given.keys(), [...created.keys()], 'creates no')
  for (const [name, values] of access.given) {
    const member = findUnknownName(Object.keys(values), created.get(name) ?? [])
    if (member !== undefined) throw new UsageError(`given: ${name} has no member ${member}`)
  }
}

/** By fixture that a target file may give. */
function createdMembers({ fixtures }: Suite): Map<string, string[]> {
  const created = [...fixtures.values()].filter(({ steps, controls }) => steps.length > 0 && controls === undefined)
  return new Map(
    created.map((fixture) => [
      fixture.name,
      fixture.steps.flatMap(({ capture = {} }) => Object.keys(capture).flatMap((one) => memberOf(fixture.name, one))),
    ]),
  )
}

const calledWith = ({ suite, protocolVersion, allow, redact, keepUsers }: RunSettings): RecordedOptions => ({
  ...(suite !== undefined && { suite }),
  ...(protocolVersion !== undefined && { protocolVersion }),
  ...(allow && { allow: [...allow] }),
  ...(redact.length > 0 && { redactions: redact.length }),
  ...(keepUsers && { keepUsers }),
})

/** Throws `UsageError`. */
export function patternOf(text: string): RegExp {
  try {
    return new RegExp(text, 'gu')
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new UsageError(`redact: this is not a regular expression (${reason})`, { cause })
  }
}

/** Rejects with `UsageError`, and `RecordError` for `--failed-of`. */
async function selectionOf(run: RunSettings, { presigned }: TargetAccess): Promise<Selection> {
  const { operations, only, not, impact, failedOf, shard } = run
  return omitUndefined({
    operations,
    only,
    not,
    impact,
    failedOf: failedOf === undefined ? undefined : await failedIn(failedOf),
    shard: shard === undefined ? undefined : { ...readShard(shard), presigned: presigned.length > 0 },
  })
}

async function failedIn(path: string): Promise<Selection['failedOf'] & object> {
  const { header, rows } = await readRun(path)
  return { run: header.run, ids: new Set(rows.filter(isFailure).map(({ id }) => id)) }
}
