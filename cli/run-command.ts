/** `conform run`: the suite against a participant, or against the simulator that comes with the tool. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { consoleSummary } from '../reports/console.js'
import { failureText } from '../reports/failure-text.js'
import { isFailure } from '../reports/rows.js'
import { usualProfile } from '../reports/shell.js'
import { loadSuite } from '../runner/load/load-suite.js'
import { expectedSeconds } from '../runner/plan/expected-duration.js'
import { type RunObserver, run } from '../runner/run.js'
import type { Suite } from '../runner/suite/suite.js'
import { unknownName } from '../runner/target/known-names.js'
import type { Settings } from '../runner/target/read-settings.js'
import { anyone } from '../runner/target/target.js'
import { conformanceModel } from './conformance-model.js'
import { type ExitCode, exitCode } from './exit-code.js'
import { openRunTarget } from './open-run-target.js'
import { profileOf } from './profile-of.js'
import { createProgress } from './progress.js'
import { isWhole, readRun } from './read-run.js'
import { type Flags, gatherSettings } from './settings.js'
import { suitePath, toolIdentity } from './tool.js'
import { UsageError } from './usage-error.js'
import { runReports, writeReports } from './write-reports.js'

/** `color`: whether the console shows any. Throws `UsageError`, and what reading the settings and running throw. */
export async function runCommand(flags: Flags, color: boolean): Promise<ExitCode> {
  const settings = await gatherSettings(flags, process.env)
  const { run: said, access } = settings
  const suite = await loadSuite(suitePath(said.suite))
  expectNames(settings, suite)
  const profile = profileOf(suite, said.profile ?? usualProfile)
  const out = said.out ?? 'results'
  const { target, simulator } = await openRunTarget(settings)
  try {
    await mkdir(out, { recursive: true })
    const recordFile = join(out, 'run.ndjson')
    const options = {
      suite,
      profile,
      target,
      embedded: simulator !== undefined,
      recordFile,
      tool: toolIdentity(),
      concurrency: said.concurrency ?? 8,
      // The embedded simulator is nobody else's.
      model: { packages: conformanceModel, mayUpload: said.allowUpload === true || simulator !== undefined },
      timeLimit: (said.requestTimeout ?? 30) * 1000,
      redact: said.redact.map(patternOf),
      access,
    }
    const progress = createProgress(process.stderr)
    await run(
      {
        ...options,
        ...(said.only !== undefined && { only: said.only }),
        ...(said.seed !== undefined && { seed: said.seed }),
        ...(said.protocolVersion !== undefined && { protocolVersion: said.protocolVersion }),
      },
      {
        planned: announce,
        row: progress.row,
      },
    )
    progress.clear()
    return await report(recordFile, out, color)
  } finally {
    await simulator?.close()
  }
}

/** A misspelt actor or fixture would be without effect. */
function expectNames({ callers, access }: Settings, suite: Suite): void {
  const parties = [...suite.fixtures.values()].filter(({ party }) => party).map(({ name }) => name)
  const actor = unknownName(callers.keys(), [...suite.actors.keys(), anyone])
  if (actor !== undefined) throw new UsageError(`callers: the suite has no actor ${actor}`)
  const party = unknownName(access.parties.keys(), parties)
  if (party !== undefined) throw new UsageError(`parties: the suite has no party ${party}`)
}

function patternOf(text: string): RegExp {
  try {
    return new RegExp(text, 'gu')
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new UsageError(`redact: this is no regular expression (${why})`, { cause })
  }
}

const announce: RunObserver['planned'] = ({ rows, left, requests, transactions, header }) => {
  const { target, profile } = header
  const where = target.embedded ? 'the embedded simulator' : target.url
  const seconds = expectedSeconds(requests, transactions, header.concurrency)
  console.log(`${rows} rows on ${where}, judged by ${profile.name}; ${left} do not apply to this target`)
  console.log(
    `${requests} requests, ${transactions} committed transactions: about ${seconds} s on a real participant; seed ${header.seed}\n`,
  )
}

/** Failures that are told in full on the console; a broken target can have hundreds. */
const mostShown = 20

async function report(recordFile: string, out: string, color: boolean): Promise<ExitCode> {
  const record = await readRun(recordFile)
  const failures = record.rows.filter(isFailure)
  for (const row of failures.slice(0, mostShown)) console.log(`${failureText(row, record.header, { color })}\n`)
  if (failures.length > mostShown) console.log(`... and ${failures.length - mostShown} more, all in the reports\n`)
  console.log(consoleSummary(record, { color }))
  const written = await writeReports(record, out, runReports)
  console.log(`\n${[recordFile, ...written].join('\n')}`)
  if (!isWhole(record)) return exitCode.incomplete
  return record.footer?.conforming ? exitCode.conforming : exitCode.notConforming
}
