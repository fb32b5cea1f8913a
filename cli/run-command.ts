/** `conform run`: the suite against a participant, or against the simulator that comes with the tool. */
import { join } from 'node:path'
import { failedRunReports } from '../reports/failed-run.js'
import { EarlyEnd, EndedBeforeRows } from '../runner/execute/early-end.js'
import { loadSuite } from '../runner/load/load-suite.js'
import { earlierRun } from '../runner/resume.js'
import { run } from '../runner/run.js'
import type { RunOptions } from '../runner/run-options.js'
import { readTargetFile } from '../runner/target/read-target-file.js'
import { readTarget, TargetError } from '../runner/target/target.js'
import { type Simulator, startSimulator } from '../simulator/simulator.js'
import { conformanceModel } from './conformance-model.js'
import { type ExitCode, exitCode } from './exit-code.js'
import { endAfter, endBySignals } from './interruption.js'
import { profileOf } from './profile-of.js'
import { readRun } from './read-run.js'
import { reportRun } from './report-run.js'
import { openResults, type ResultsFolder, recordName } from './results-folder.js'
import { resumedFlags } from './resumed-flags.js'
import { runOnConsole } from './run-console.js'
import type { RunFlags } from './run-flags.js'
import { suitePath, toolIdentity } from './tool.js'
import { UsageError } from './usage-error.js'
import { writeTexts } from './write-reports.js'

export async function runCommand(given: RunFlags): Promise<ExitCode> {
  const resume = given.resume === undefined ? undefined : earlierRun(await readRun(given.resume))
  const flags = resume ? resumedFlags(given, resume.record.header) : given
  const options = await settingsOf(flags)
  const results = await openResults(flags.out)
  const end = new EarlyEnd()
  const forget = [endBySignals(end), endAfter(flags.maxTime, end)]
  let simulator: Simulator | undefined
  try {
    simulator = options.url === undefined ? await startSimulator({ authorization: options.authorization }) : undefined
    const target = readTarget(options.url ?? simulator?.url ?? '', options.authorization)
    const recordFile = join(results.run, recordName)
    const told = {
      target,
      embedded: simulator !== undefined,
      recordFile,
      results: results.path,
      end,
      ...(resume && { resume }),
    }
    const console = runOnConsole()
    await run({ ...options.run, ...told, model: modelFor(flags, simulator) }, console.observer).finally(console.clear)
    return await reportRun(recordFile, results.run, flags.color)
  } catch (error) {
    await leaveFailure(results, error)
    if (!(error instanceof EndedBeforeRows)) throw error
    console.error(error.message)
    return error.why.cause === 'target-gone' ? exitCode.target : exitCode.incomplete
  } finally {
    for (const one of forget) one()
    await simulator?.close()
    await results.release()
  }
}

type Settings = Omit<RunOptions, 'target' | 'embedded' | 'recordFile'>

/** Everything that can be wrong in a call is, before a folder is made or anything is sent. */
export async function settingsOf(
  flags: RunFlags,
): Promise<{ url: string | undefined; authorization: string; run: Settings }> {
  const suite = await loadSuite(suitePath(flags.suite))
  const file = flags.config === undefined ? undefined : await readTargetFile(flags.config, new Date())
  const protocolVersion = flags.protocolVersion ?? file?.protocolVersion
  const authorization = flags.authorization ?? file?.authorization ?? 'none'
  const url = flags.target ?? file?.url
  if (url !== undefined) readTarget(url, authorization)
  const run: Settings = {
    suite,
    profile: profileOf(suite, flags.profile),
    tool: toolIdentity(),
    concurrency: flags.concurrency,
    timeLimit: 30_000,
    redact: flags.redact.map(patternOf),
    called: calledWith(flags),
    ...(flags.only && { only: flags.only }),
    ...(flags.seed && { seed: flags.seed }),
    ...(file && {
      access: { ...file, authorizes: flags.authorization === undefined && file.authorization !== undefined },
    }),
    ...(protocolVersion !== undefined && { protocolVersion }),
  }
  return { url, authorization, run }
}

const calledWith = ({ suite, out, protocolVersion, allowUpload, redact }: RunFlags): RunOptions['called'] & object => ({
  ...(suite !== undefined && { suite }),
  ...{ out },
  ...(protocolVersion !== undefined && { protocolVersion }),
  ...(allowUpload && { allowUpload }),
  ...(redact.length > 0 && { redactions: redact.length }),
})

/** The embedded simulator is nobody else's. */
const modelFor = ({ allowUpload }: RunFlags, simulator: Simulator | undefined) => ({
  packages: conformanceModel,
  mayUpload: allowUpload === true || simulator !== undefined,
})

function patternOf(text: string): RegExp {
  try {
    return new RegExp(text, 'gu')
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new UsageError(`redact: this is no regular expression (${why})`, { cause })
  }
}

/** Where nothing was run because of the call, there is nothing to be left; otherwise reports of yesterday must not be taken for those of today. */
async function leaveFailure(results: ResultsFolder, error: unknown): Promise<void> {
  const isOurs = error instanceof TargetError || error instanceof EndedBeforeRows
  if (!isOurs) return results.discard()
  const { name, version } = toolIdentity()
  await writeTexts(results.run, failedRunReports(`${name} ${version}`, error.message, new Date()))
}
