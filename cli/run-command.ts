/** `conform run`: the suite against a participant, or against the simulator that comes with the tool. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { consoleSummary } from '../reports/console.js'
import { failureText } from '../reports/failure-text.js'
import { isFailure } from '../reports/rows.js'
import { loadSuite } from '../runner/load/load-suite.js'
import { expectedSeconds } from '../runner/plan/expected-duration.js'
import { type RunObserver, run } from '../runner/run.js'
import { readTargetFile } from '../runner/target/read-target-file.js'
import { readTarget } from '../runner/target/target.js'
import { startSimulator } from '../simulator/simulator.js'
import { conformanceModel } from './conformance-model.js'
import { type ExitCode, exitCode } from './exit-code.js'
import { profileOf } from './profile-of.js'
import { createProgress } from './progress.js'
import { isWhole, readRun } from './read-run.js'
import { suitePath, toolIdentity } from './tool.js'
import { UsageError } from './usage-error.js'
import { runReports, writeReports } from './write-reports.js'

export interface RunFlags {
  target?: string
  /** A target file; what is said here counts more. */
  config?: string
  profile: string
  authorization?: string
  out: string
  suite?: string
  only?: string
  seed?: string
  protocolVersion?: number
  concurrency: number
  allowUpload?: true
  /** Regular expressions. */
  redact: string[]
  color: boolean
}

export async function runCommand(flags: RunFlags): Promise<ExitCode> {
  const suite = await loadSuite(suitePath(flags.suite))
  const profile = profileOf(suite, flags.profile)
  const file = flags.config === undefined ? undefined : await readTargetFile(flags.config, new Date())
  const url = flags.target ?? file?.url
  const authorization = flags.authorization ?? file?.authorization ?? 'none'
  const protocolVersion = flags.protocolVersion ?? file?.protocolVersion
  const simulator = url === undefined ? await startSimulator({ authorization }) : undefined
  try {
    const target = readTarget(url ?? simulator?.url ?? '', authorization)
    await mkdir(flags.out, { recursive: true })
    const recordFile = join(flags.out, 'run.ndjson')
    const options = {
      suite,
      profile,
      target,
      embedded: simulator !== undefined,
      recordFile,
      tool: toolIdentity(),
      concurrency: flags.concurrency,
      // The embedded simulator is nobody else's.
      model: { packages: conformanceModel, mayUpload: flags.allowUpload === true || simulator !== undefined },
      timeLimit: 30_000,
      redact: flags.redact.map(patternOf),
    }
    const progress = createProgress(process.stderr)
    await run(
      {
        ...options,
        ...(flags.only && { only: flags.only }),
        ...(flags.seed && { seed: flags.seed }),
        ...(file && {
          access: { ...file, authorizes: flags.authorization === undefined && file.authorization !== undefined },
        }),
        ...(protocolVersion !== undefined && { protocolVersion }),
      },
      {
        planned: announce,
        row: progress.row,
      },
    )
    progress.clear()
    return await report(recordFile, flags)
  } finally {
    await simulator?.close()
  }
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

async function report(recordFile: string, { out, color }: RunFlags): Promise<ExitCode> {
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
