import { isFolder } from '../../lib/files/paths.js'
import { printError, printRequestedToken } from '../../lib/print.js'
import { UsageError } from '../../lib/usage-error.js'
import type { RunRecord } from '../../record/types/record.js'
import type { TokenTemplate } from '../../record/types/resolved-row.js'
import { visibleLine } from '../../reports/wording/hostile-text.js'
import { defaultResults } from '../../reports/wording/shell.js'
import { loadSuite } from '../../runner/load/load-suite.js'
import { actorToken } from '../../runner/preflight/actor-token.js'
import { openTarget, type Settings } from '../../runner/target/read-settings.js'
import { administratorActor, anyone, type Target } from '../../runner/target/target.js'
import { type ExitCode, exitCode } from '../console/exit-code.js'
import { readRun } from '../output/read-run.js'
import { recordFileIn } from '../output/record-names.js'
import { folderOfRun } from '../output/results-folder.js'
import { type Flags, gatherSettings } from '../target/settings.js'
import { suitePath } from '../tool/tool.js'

interface TokenFlags {
  form?: string
}

/** Milliseconds. */
const timeLimit = 30_000

/** Prints only the token to standard output. Rejects with `UsageError`, `CredentialError` and `TargetError`. */
export async function tokenCommand(actor: string, { form, ...flags }: TokenFlags & Flags): Promise<ExitCode> {
  const settings = await gatherSettings(flags, process.env)
  const { url, authorization, access, run } = settings
  if (url === undefined) throw new UsageError('target: name the participant that the token is for: --target URL')
  if (authorization.kind === 'none')
    throw new UsageError('token: without authorization the run sends no tokens; add --authorization or --token')
  const template = form === undefined ? undefined : await formOf(form, run.suite)
  const target = await openTarget(settings, url)
  const user = await userOf(actor, target, settings)
  const readsParticipantId = !access.unreachable.has('participant-id')
  const token = await actorToken(target, { user, form: template, timeLimit, readsParticipantId })
  if (token === undefined) throw new UsageError(`token: the form ${form ?? ''} has no token`)
  printRequestedToken(token)
  return exitCode.conforming
}

async function formOf(name: string, folder: string | undefined): Promise<TokenTemplate> {
  const { tokens } = await loadSuite(suitePath(folder))
  const made = [...tokens.values()].filter(({ none, header }) => !none && header === undefined)
  const found = made.find((one) => one.name === name)
  if (found) return found
  throw new UsageError(`token: the suite has no form ${name}; the forms are ${made.map((one) => one.name).join(', ')}`)
}

/** The settings name the user, or the newest run created it. */
async function userOf(actor: string, target: Target, { run, administrator }: Settings): Promise<string> {
  const known = target.callers.get(actor) ?? target.callers.get(anyone)
  if (known) return known.user
  const out = run.out ?? defaultResults
  const hasRun = (await isFolder(out)) && (await recordFileIn(await folderOfRun(out))) !== undefined
  const record = hasRun ? await readRun(out) : undefined
  const { header } = record ?? {}
  const caller = header?.callers?.find((one) => one.actor === actor)
  if (record && header?.target.url === target.url && caller) {
    warnOfInactive(caller.user, record)
    return caller.user
  }
  if (actor === administratorActor) return administrator
  const actors = header?.target.url === target.url ? header.callers?.map((one) => one.actor) : undefined
  throw new UsageError(
    actors
      ? `token: the newest run in ${out} has no actor ${actor}; its actors are ${actors.join(', ')}`
      : `token: ${out} has no run on ${target.url}; name the user with --user ${actor}=ID, or run with --keep-users first`,
  )
}

function warnOfInactive(user: string, { header, footer }: RunRecord): void {
  if (footer?.withdrawn?.includes(user) !== true) return
  printError(
    visibleLine(
      `! The run ${header.run} deactivated the user ${user} at its end. Run with --keep-users to keep it active.`,
    ),
  )
}
