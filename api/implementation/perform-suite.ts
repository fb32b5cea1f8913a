import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exitCode } from '../../cli/console/exit-code.js'
import { explain } from '../../cli/console/failure.js'
import { runReports, writeReports } from '../../cli/output/write-reports.js'
import { openRunTarget } from '../../cli/target/open-run-target.js'
import { loadWithProfile } from '../../cli/target/profile-of.js'
import { settingsOf } from '../../cli/target/settings.js'
import { conformanceModel } from '../../cli/tool/conformance-model.js'
import { toolIdentity } from '../../cli/tool/tool.js'
import { makeFolder } from '../../lib/files/paths.js'
import { unmetRules } from '../../record/judgements/rule-verdicts.js'
import { isComplete } from '../../record/judgements/tally.js'
import type { RunHeader, RunRecord, RunRow } from '../../record/types/record.js'
import { countVerdicts } from '../../record/types/verdict.js'
import { conclude } from '../../reports/summary/conclusion.js'
import { failureText } from '../../reports/wording/failure-text.js'
import { inSuiteOrder, isFailure } from '../../reports/wording/rows.js'
import { expectMatches, NothingSelected } from '../../runner/plan/select.js'
import type { ConfiguredOptions } from '../../runner/preflight/run-options.js'
import { namesIn } from '../../runner/resolve/resolve-suite.js'
import { type RunObserver, run } from '../../runner/run/run.js'
import type { TargetAccess } from '../../runner/target/target-file.js'
import { ConformanceError } from '../types/conformance-error.js'
import type { SuiteEvents, SuiteOptions, SuiteResult, SuiteRowResult } from '../types/suite.js'

export async function performSuite(options: SuiteOptions): Promise<SuiteResult> {
  const folder = options.out ?? (await mkdtemp(join(tmpdir(), 'conformance-run-')))
  try {
    await makeFolder(folder)
    const recordFile = join(folder, 'run.ndjson.br')
    const record = await performRun(options, recordFile)
    const reports = options.out === undefined ? [] : [recordFile, ...(await writeReports(record, folder, runReports))]
    return resultOf(record, reports)
  } catch (error) {
    throw suiteProblem(error)
  } finally {
    if (options.out === undefined) await rm(folder, { recursive: true, force: true })
  }
}

async function performRun(options: SuiteOptions, recordFile: string): Promise<RunRecord> {
  const { target: url, authorization, targetFile, allow, operations, protocolVersion: version } = options
  // Ignores the CONFORM_ variables of the environment.
  const settings = await settingsOf(
    { target: url, authorization, allow, operations, protocolVersion: version },
    [],
    targetFile === undefined ? [] : [targetFile],
    process.env,
  )
  const { target, access, simulator } = await openRunTarget(settings)
  const { observer, settled } = notifyListeners(options.on)
  try {
    const { protocolVersion } = settings.run
    const record = await run(
      {
        ...(await defaultOptions(options, access)),
        target,
        embedded: simulator !== undefined,
        recordFile,
        model: conformanceModel,
        ...(settings.run.allow && { allow: settings.run.allow }),
        ...(settings.run.operations && { operations: settings.run.operations }),
        ...(protocolVersion !== undefined && { protocolVersion }),
      },
      observer,
    )
    await settled()
    return record
  } finally {
    await simulator?.close()
  }
}

async function defaultOptions(
  { profile, concurrency = 8, redact = [], only, seed }: SuiteOptions,
  access: TargetAccess,
): Promise<ConfiguredOptions> {
  const loaded = await loadWithProfile({ profile })
  expectMatches(only, namesIn(loaded.suite))
  return {
    ...loaded,
    ...(profile === undefined && { profileBy: 'version' }),
    access,
    tool: toolIdentity(),
    concurrency,
    timeLimit: 30_000,
    redact,
    ...(only !== undefined && { only }),
    ...(seed !== undefined && { seed }),
  }
}

/** A `ConformanceError` if the caller can fix the problem; otherwise the error itself. */
function suiteProblem(error: unknown): unknown {
  const { text, code } = explain(error, false)
  if (error instanceof NothingSelected) return new ConformanceError('NOTHING_SELECTED', text, error)
  if (code === exitCode.usage) return new ConformanceError('INVALID_OPTION', text, error)
  if (code === exitCode.target) return new ConformanceError('TARGET_UNUSABLE', text, error)
  return error
}

function resultOf(record: RunRecord, files: string[]): SuiteResult {
  const { conforming, inWords, unexamined } = conclude(record)
  return {
    conforming: conforming && isComplete(record),
    conclusion: inWords,
    unexaminedRules: unexamined,
    counts: record.footer?.counts ?? countVerdicts(record.rows.map(({ verdict }) => verdict)),
    rows: inSuiteOrder(record.rows).map((row) => rowResult(row, record.header)),
    milliseconds: record.footer?.milliseconds ?? 0,
    files,
  }
}

function rowResult(row: RunRow, header: RunHeader): SuiteRowResult {
  const { id, verdict, milliseconds, resolved } = row
  const isMet = verdict === 'pass' || verdict === 'not-applicable'
  return {
    id,
    title: resolved.title,
    operation: resolved.operation,
    verdict,
    conforming: !isFailure(row),
    rules: [...new Set(row.judgements.flatMap(({ rules }) => rules))],
    unmetRules: unmetRules(row),
    milliseconds,
    ...(!isMet && { explanation: failureText(row, header) }),
  }
}

interface Notifier {
  /** Throws after a failed listener, which ends the run. */
  observer: RunObserver
  /** Rejects if a listener failed. */
  settled(): Promise<void>
}

function notifyListeners(on: SuiteEvents = {}): Notifier {
  const pending: Promise<void>[] = []
  let failure: ConformanceError | undefined
  const fail = (name: keyof SuiteEvents, cause: unknown): void => {
    const reason = cause instanceof Error ? cause.message : String(cause)
    failure ??= new ConformanceError(
      'LISTENER_FAILED',
      `on.${name}: the listener failed (${reason}); the run ended`,
      cause,
    )
  }
  const notify = (name: keyof SuiteEvents, callListener: () => unknown): void => {
    // A listener may return a promise in spite of its type; an unhandled rejection ends the process.
    try {
      pending.push(Promise.resolve(callListener()).then(noResult, (error: unknown) => fail(name, error)))
    } catch (error) {
      fail(name, error)
    }
    if (failure) throw failure
  }
  return {
    observer: {
      planned: ({ rows, left, forecast: { requests, effects }, header: { seed } }) =>
        notify('planned', () =>
          on.planned?.({ rows, notApplicable: left, requests, transactions: effects.transactions, seed }),
        ),
      row: ({ id, verdict, resolved: { title, operation } }, done, total) =>
        notify('row', () => on.row?.({ id, title, operation, verdict }, { done, total })),
    },
    settled: async () => {
      await Promise.all(pending)
      if (failure) throw failure
    },
  }
}

const noResult = (): void => undefined
