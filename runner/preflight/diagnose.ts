/** What `conform doctor` tells: the checks of every run, and more of what is there, without changing anything. */
import { listLeftoverState } from '../changes/left-behind.js'
import { type Finding, findingCodes, preventsRun, stop, warning } from '../doctor/finding.js'
import { checkIdentities, unavailable } from '../doctor/identity.js'
import { describeOperations } from '../doctor/operations.js'
import { checkPackages } from '../doctor/packages.js'
import { forecastRows, type RowForecast } from '../doctor/row-forecast.js'
import { checkPermissions, checkProvisioning, describeSynchronizers } from '../doctor/synchronizers.js'
import { decideRows } from '../plan/plan.js'
import { mayBeMeant, selectRows } from '../plan/select.js'
import { capabilitiesByVersion, refinedCapabilities } from '../provision/capabilities.js'
import { checkModel } from '../provision/model-packages.js'
import { type Preparation, probePreparation } from '../provision/preparation.js'
import { resolveSuite } from '../resolve/resolve-suite.js'
import type { ResolvedSuite } from '../suite/resolved-suite.js'
import { provisionerOf } from '../target/actor-users.js'
import type { CredentialError } from '../target/credentials/credential-source.js'
import { defaultAccess } from '../target/target-file.js'
import { checkTarget, type Look } from './check-target.js'
import type { ExaminedTarget } from './examine-target.js'
import { redactError } from './redact-error.js'
import { allowedIn, type RunOptions, selectionIn } from './run-options.js'
import { type StartedSession, startSession } from './start-session.js'

export interface Diagnosis {
  findings: Finding[]
  /** Absent where the target could not be examined. */
  rows?: RowForecast
}

/**
 * `lacking`: credentials that could not be had, by actor; the target is without them. Sends nothing that changes anything.
 * Throws `NothingSelected` for a filter that matches nothing, `ResolveError`, `EndedBeforeRows` and `ProxySettingError`.
 */
export async function diagnose(
  options: RunOptions,
  lacking: ReadonlyMap<string, CredentialError>,
  told: (sentence: string) => void,
): Promise<Diagnosis> {
  const { results, ...looking } = options
  const started = startSession(options, () => undefined)
  try {
    const suite = resolveSuite(options.suite, options.profile, options.protocolVersion, mayBeMeant(options))
    selectRows(suite.rows, options)
    // Without the folder of results nothing is put back.
    const look = await checkTarget(looking, suite, started, told)
    const without = [...lacking].map(([actor, error]) => unavailable(actor, error))
    const more = look.target ? await examined(options, look.target, look, suite, started) : { findings: [] }
    const findings = [...look.findings, ...without, ...more.findings].map((one) => cleaned(one, started))
    return { ...more, findings: ordered(withoutTwins(findings)) }
  } catch (error) {
    throw redactError(error, started.redaction)
  }
}

async function examined(
  options: RunOptions,
  target: ExaminedTarget,
  { skew }: Look,
  suite: ResolvedSuite,
  started: StartedSession,
): Promise<Diagnosis> {
  const packages = options.model ?? []
  const { absent, discovery, actorUsers, limitations } = target
  const { unreachable, parties } = options.access ?? defaultAccess
  const call = started.as(actorUsers.defaultUser)
  const preparing = target.told ?? (await preparingOf(options, target, suite, started))
  const version = options.protocolVersion ?? preparing?.protocolVersion
  const rows = outlook(options, target, preparing, version)
  const model = await checkModel(packages, 'never', discovery, call)
  const findings = [
    ...describeOperations(absent),
    ...(await checkIdentities({ target: options.target, unreachable, skew, as: started.as })),
    ...describeSynchronizers(discovery, version),
    ...(await checkPermissions(unreachable.has('connected-synchronizers') ? new Map() : parties, call)),
    ...checkProvisioning(discovery, actorUsers.provisioner, preparing, limitations.prepares),
    ...(packages.length === 0 ? [] : await checkPackages(packages, model, discovery, call)),
    ...(await leftoverFindings(options, target, started)),
    ...rowFindings(rows),
  ]
  return { findings, rows }
}

/** Asked for a party that is there already: without one nobody can know. */
async function preparingOf(
  { access = defaultAccess }: RunOptions,
  { actorUsers, discovery }: ExaminedTarget,
  { actors }: ResolvedSuite,
  { as }: StartedSession,
): Promise<Preparation | undefined> {
  return access.parties.size === 0 ? undefined : probePreparation(access.parties, actorUsers, actors, discovery, as)
}

function outlook(
  options: RunOptions,
  { absent, capabilities, limitations, availability, model }: ExaminedTarget,
  preparing: Preparation | undefined,
  version: number | undefined,
): RowForecast {
  const suite = resolveSuite(options.suite, options.profile, version, mayBeMeant(options))
  const known =
    preparing?.synchronizerId === undefined
      ? capabilitiesByVersion(capabilities, version)
      : refinedCapabilities(capabilities, version, preparing, model)
  return forecastRows(
    decideRows(suite, known, {
      ...selectionIn(options),
      absent,
      limitations,
      availability,
      allowed: allowedIn(options),
    }),
    known,
  )
}

async function leftoverFindings(
  { results }: RunOptions,
  { discovery, actorUsers }: ExaminedTarget,
  { as }: StartedSession,
): Promise<Finding[]> {
  const left = results === undefined ? [] : await listLeftoverState(results, discovery, as(provisionerOf(actorUsers)))
  const advice = 'conform clean puts it back, and so does the next run'
  return left.map((sentence) => warning('leftovers', 'left-behind', sentence, { advice }))
}

const rowFindings = ({ run, groups }: RowForecast): Finding[] =>
  run > 0
    ? []
    : [stop('rows', 'no-row', `none of the selected rows can run here: ${groups[0]?.reasons[0]?.reason ?? ''}`)]

/** What the checks of every run have found already. */
const withoutTwins = (findings: readonly Finding[]): Finding[] =>
  findings.filter((one, index) => findings.findIndex(({ what }) => what === one.what) === index)

const subjects = Object.keys(findingCodes)

const ordered = (findings: readonly Finding[]): Finding[] =>
  subjects.flatMap((subject) => findings.filter(({ about }) => about === subject))

/** What a target answers may repeat a token. */
function cleaned(finding: Finding, { redaction }: StartedSession): Finding {
  const clean = (value: unknown): unknown => {
    if (typeof value === 'string') return redaction.clean(value)
    if (Array.isArray(value)) return value.map(clean)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, content]) => [name, clean(content)]))
  }
  return clean(finding) as Finding // the same members, each text cleaned
}

/** Whether a run makes sense; `unreachable` where nothing could be asked. */
export type DoctorVerdict = 'ready' | 'senseless' | 'unreachable'

export function verdictOf({ findings }: Diagnosis): DoctorVerdict {
  if (findings.some(({ level }) => level === 'unreachable')) return 'unreachable'
  return findings.some(preventsRun) ? 'senseless' : 'ready'
}
