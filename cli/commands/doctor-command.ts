import { print, printData, printError } from '../../lib/print.js'
import { UsageError } from '../../lib/usage-error.js'
import { visibleLine } from '../../reports/wording/hostile-text.js'
import { defaultResults } from '../../reports/wording/shell.js'
import { diagnose, verdictOf } from '../../runner/preflight/diagnose.js'
import type { CredentialError } from '../../runner/target/credentials/credential-source.js'
import { openTarget } from '../../runner/target/read-settings.js'
import { doctorJson, doctorText } from '../console/doctor-text.js'
import { type ExitCode, exitCode } from '../console/exit-code.js'
import { limitingSettings } from '../console/run-output.js'
import { runOptionsOf } from '../target/run-options-of.js'
import { type Flags, gatherSettings } from '../target/settings.js'

/** Rejects with `UsageError`, and like `gatherSettings`. */
export async function doctorCommand({ json, ...flags }: Flags, color: boolean): Promise<ExitCode> {
  const settings = await gatherSettings(flags, process.env)
  const { url, run } = settings
  if (url === undefined) throw new UsageError('target: name the participant to check: --target URL')
  const options = await runOptionsOf(settings)
  // Every failed credential is a finding.
  const failed = new Map<string, CredentialError>()
  const target = await openTarget(settings, url, (actor, error) => failed.set(actor, error))
  const more = { target, embedded: false, recordFile: '', results: run.out ?? defaultResults }
  const notify = (sentence: string): void => printError(visibleLine(sentence))
  const diagnosis = await diagnose({ ...options, ...more }, failed, notify)
  const verdict = verdictOf(diagnosis)
  if (json === true) printData(doctorJson(url, verdict, diagnosis))
  else print([limitingSettings(settings) ?? [], doctorText(url, verdict, diagnosis, color)].flat().join('\n'))
  return codes[verdict]
}

const codes = { ready: exitCode.conforming, senseless: exitCode.cannotRun, unreachable: exitCode.target } as const
