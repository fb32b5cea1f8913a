import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { conformanceModel } from '../../cli/conformance-model.js'
import { openRunTarget } from '../../cli/open-run-target.js'
import { profileOf } from '../../cli/profile-of.js'
import { settingsOf } from '../../cli/settings.js'
import { suitePath, toolIdentity } from '../../cli/tool.js'
import { runReports, writeReports } from '../../cli/write-reports.js'
import { makeFolder } from '../../lib/files/folder.js'
import type { RunRecord } from '../../record/record.js'
import { usualProfile } from '../../reports/shell.js'
import { loadSuite } from '../../runner/load/load-suite.js'
import { run } from '../../runner/run.js'
import type { RunOptions } from '../../runner/run-options.js'
import type { SuiteOptions } from '../types/suite-options.js'
import type { SuiteResult } from '../types/suite-result.js'
import { listenedBy } from './observer-of.js'
import { resultOf } from './result-of.js'
import { suiteProblem } from './suite-problem.js'

/** Runs the suite as the command does, but prints nothing. Rejects as `runSuite` does. */
export async function performSuite(options: SuiteOptions): Promise<SuiteResult> {
  const folder = options.out ?? (await mkdtemp(join(tmpdir(), 'conformance-run-')))
  try {
    await makeFolder(folder)
    const recordFile = join(folder, 'run.ndjson')
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
  const { target: url, authorization, targetFile } = options
  // Settings of the environment are for the command.
  const settings = await settingsOf(
    { target: url, authorization, allow: options.allow },
    [],
    targetFile === undefined ? [] : [targetFile],
    process.env,
  )
  const { target, access, simulator } = await openRunTarget(settings)
  const { observer, settled } = listenedBy(options.on)
  try {
    const protocolVersion = options.protocolVersion ?? settings.run.protocolVersion
    const record = await run(
      {
        ...(await usualOptions(options)),
        target,
        embedded: simulator !== undefined,
        recordFile,
        model: conformanceModel,
        ...(settings.run.allow && { allow: settings.run.allow }),
        access,
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

type Usual = Pick<RunOptions, 'suite' | 'profile' | 'tool' | 'concurrency' | 'timeLimit' | 'redact' | 'only' | 'seed'>

async function usualOptions({ profile, concurrency = 8, redact = [], only, seed }: SuiteOptions): Promise<Usual> {
  const suite = await loadSuite(suitePath(undefined))
  return {
    suite,
    profile: profileOf(suite, profile ?? usualProfile),
    tool: toolIdentity(),
    concurrency,
    timeLimit: 30_000,
    redact,
    ...(only !== undefined && { only }),
    ...(seed !== undefined && { seed }),
  }
}
