import { print, printData, printError } from '../../lib/print.js'
import { visibleLine } from '../../reports/wording/hostile-text.js'
import { defaultResults } from '../../reports/wording/shell.js'
import { diagnose, verdictOf } from '../../runner/preflight/diagnose.js'
import { CredentialError } from '../../runner/target/credentials/credential-source.js'
import { openTarget, type Settings } from '../../runner/target/read-settings.js'
import type { KnownCaller } from '../../runner/target/target.js'
import { doctorJson, doctorText } from '../console/doctor-text.js'
import { type ExitCode, exitCode, UsageError } from '../console/exit-code.js'
import { limitingSettings } from '../console/limiting-settings.js'
import { runOptionsOf } from '../target/run-options-of.js'
import { type Flags, gatherSettings } from '../target/settings.js'
import { conformanceModel } from '../tool/conformance-model.js'

/** Rejects with `UsageError`, and like `gatherSettings`. */
export async function doctorCommand({ json, ...flags }: Flags, color: boolean): Promise<ExitCode> {
  const settings = await gatherSettings(flags, process.env)
  const { url, run } = settings
  if (url === undefined) throw new UsageError('target: name the participant to check: --target URL')
  const options = await runOptionsOf(settings)
  const { callers, failed } = await openCallers(settings, url)
  const target = { ...(await openTarget({ ...settings, callers: new Map() }, url)), callers }
  const more = { target, embedded: false, recordFile: '', results: run.out ?? defaultResults, model: conformanceModel }
  const notify = (sentence: string): void => printError(visibleLine(sentence))
  const diagnosis = await diagnose({ ...options, ...more }, failed, notify)
  const verdict = verdictOf(diagnosis)
  if (json === true) printData(doctorJson(url, verdict, diagnosis))
  else print([limitingSettings(settings) ?? [], doctorText(url, verdict, diagnosis, color)].flat().join('\n'))
  return codes[verdict]
}

const codes = { ready: exitCode.conforming, senseless: exitCode.cannotRun, unreachable: exitCode.target } as const

/** Opens callers separately, so that every failed credential is reported. */
async function openCallers(
  settings: Settings,
  url: string,
): Promise<{ callers: Map<string, KnownCaller>; failed: Map<string, CredentialError> }> {
  const callers = new Map<string, KnownCaller>()
  const failed = new Map<string, CredentialError>()
  for (const one of settings.callers) {
    try {
      const opened = await openTarget({ ...settings, callers: new Map([one]) }, url)
      for (const [actor, caller] of opened.callers) callers.set(actor, caller)
    } catch (error) {
      if (!(error instanceof CredentialError)) throw error
      failed.set(one[0], error)
    }
  }
  return { callers, failed }
}
