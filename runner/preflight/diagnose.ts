import { type OperationName, operationNames, type SupportName } from '../../interface/operations.js'
import { redactError } from '../../lib/redaction/redaction.js'
import type { Reason } from '../../record/types/reason.js'
import { listLeftoverState } from '../changes/leftover-state.js'
import { type Finding, findingCodes, preventsRun, stop, warning } from '../doctor/finding.js'
import { checkIdentities, missingToken } from '../doctor/identity.js'
import { checkPackages } from '../doctor/packages.js'
import { forecastRows, type RowForecast } from '../doctor/row-forecast.js'
import { checkPermissions, checkProvisioning, describeSynchronizers } from '../doctor/synchronizers.js'
import { decideRows } from '../plan/plan.js'
import { selectionInWords, selectRows } from '../plan/select.js'
import { capabilitiesByVersion, refinedCapabilities } from '../provision/capabilities.js'
import { checkModel } from '../provision/model-packages.js'
import { type Preparation, probePreparation } from '../provision/preparation.js'
import type { ResolvedSuite } from '../suite/resolved-suite.js'
import { provisionerOf } from '../target/actor-users.js'
import type { CredentialError } from '../target/credentials/credential-source.js'
import { NoCredential } from '../target/target.js'
import { checkTarget, type TargetCheck } from './check-target.js'
import { type ExaminedTarget, gatesOf } from './examine-target.js'
import { type RunOptions, suiteOf } from './run-options.js'
import { type StartedSession, startSession } from './start-session.js'
import { describeOperations } from './survey-operations.js'

export interface Diagnosis {
  findings: Finding[]
  rows?: RowForecast
}

/** `lacking`: by actor. Throws `NothingSelected`, `ResolveError`, `EndedBeforeRows` and `UsageError`. */
export async function diagnose(
  options: RunOptions,
  lacking: ReadonlyMap<string, CredentialError>,
  notify: (sentence: string) => void,
): Promise<Diagnosis> {
  // Without the results folder, leftover state is not restored.
  const { results: _, ...readOnly } = options
  const started = startSession(options, () => undefined)
  try {
    selectRows(suiteOf(options).rows, options)
    const check = await checkTarget({ ...readOnly, isDry: true }, started, notify)
    // An unreadable credential is the cause, and its finding names the file or the command.
    const isExplained = lacking.size > 0 && check.failure instanceof NoCredential
    const checked = isExplained ? check.findings.slice(0, -1) : check.findings
    const without = [...lacking].map(([actor, error]) => missingToken(actor, error))
    const more = await checkFurther(options, check, started)
    const findings = [...checked, ...without, ...more.findings].map((one) => redacted(one, started))
    return { ...more, findings: ordered(withoutDuplicates(findings)) }
  } catch (error) {
    throw redactError(error, started.redaction)
  }
}

async function checkFurther(
  given: RunOptions,
  { target, choice, skew }: TargetCheck,
  started: StartedSession,
): Promise<Diagnosis> {
  if (!target || !choice) return { findings: [] }
  const options = { ...given, profile: choice.profile }
  const suite = suiteOf(options)
  const packages = options.model ?? []
  const { absent, discovery, actorUsers } = target
  const { unreachable, parties } = options.access
  const call = started.as(actorUsers.defaultUser)
  const preparation = target.declared ?? (await probeIfPossible(options, target, suite, started))
  const version = options.protocolVersion ?? preparation?.protocolVersion
  const rows = forecast(options, target, preparation, version)
  const model = await checkModel(packages, 'never', discovery, call)
  const findings = [
    ...describeOperations(absent, namesOf(options, suite)),
    ...(await checkIdentities({ target: options.target, unreachable, skew, as: started.as })),
    ...describeSynchronizers(discovery, version),
    ...(await checkPermissions(unreachable.has('connected-synchronizers') ? new Map() : parties, call)),
    ...checkProvisioning(discovery, actorUsers.provisioner, preparation, {
      allocation: absenceOf('allocate-party', target, unreachable),
      prepare: absenceOf('prepare', target, unreachable),
    }),
    ...(packages.length === 0 ? [] : await checkPackages(packages, model, discovery, call)),
    ...(await checkLeftoverState(options, target, started)),
    ...checkForecast(rows),
  ]
  return { findings, rows }
}

const absenceOf = (
  operation: SupportName,
  { absent }: ExaminedTarget,
  unreachable: ReadonlySet<string>,
): Reason | undefined =>
  unreachable.has(operation) ? { code: 'operation-unreachable', operation } : absent.get(operation)

/** The operations under test that the selection names. */
function namesOf(options: RunOptions, { rows }: ResolvedSuite): OperationName[] {
  const isWhole = options.operations === undefined && selectionInWords(options) === undefined
  const selected = new Set(selectRows(rows, options).map(({ operation }) => operation))
  return operationNames.filter((name) => isWhole || selected.has(name))
}

async function probeIfPossible(
  { access }: RunOptions,
  { actorUsers, discovery }: ExaminedTarget,
  { actors }: ResolvedSuite,
  { as }: StartedSession,
): Promise<Preparation | undefined> {
  return access.parties.size === 0 ? undefined : probePreparation(access.parties, actorUsers, actors, discovery, as)
}

function forecast(
  options: RunOptions,
  target: ExaminedTarget,
  preparation: Preparation | undefined,
  version: number | undefined,
): RowForecast {
  const suite = suiteOf(options, version)
  const { capabilities, model } = target
  const known =
    preparation?.synchronizerId === undefined
      ? capabilitiesByVersion(capabilities, version)
      : refinedCapabilities(capabilities, version, preparation, model)
  return forecastRows(decideRows(suite, known, { ...options, ...gatesOf(options, target) }), known)
}

async function checkLeftoverState(
  { results }: RunOptions,
  { discovery, actorUsers }: ExaminedTarget,
  { as }: StartedSession,
): Promise<Finding[]> {
  const left = results === undefined ? [] : await listLeftoverState(results, discovery, as(provisionerOf(actorUsers)))
  const advice = 'Run conform clean, or start a run: both restore it.'
  return left.map((sentence) => warning('leftovers', 'left-behind', sentence, { advice }))
}

const checkForecast = ({ run, groups }: RowForecast): Finding[] =>
  run > 0
    ? []
    : [
        stop('rows', 'no-row', 'no selected row can run on this target', {
          ...(groups[0]?.reasons[0] && { because: groups[0].reasons[0].reason }),
        }),
      ]

const withoutDuplicates = (findings: readonly Finding[]): Finding[] =>
  findings.filter((one, index) => findings.findIndex(({ what }) => what === one.what) === index)

const subjects = Object.keys(findingCodes)

const ordered = (findings: readonly Finding[]): Finding[] =>
  subjects.flatMap((subject) => findings.filter(({ about }) => about === subject))

/** Answers of a target may repeat a token. */
function redacted(finding: Finding, { redaction }: StartedSession): Finding {
  const clean = (value: unknown): unknown => {
    if (typeof value === 'string') return redaction.clean(value)
    if (Array.isArray(value)) return value.map(clean)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, content]) => [name, clean(content)]))
  }
  return clean(finding) as Finding // the same members, with each string redacted
}

/** `senseless`: a run cannot start. The names are part of the JSON output. */
export type DoctorVerdict = 'ready' | 'senseless' | 'unreachable'

export function verdictOf({ findings }: Diagnosis): DoctorVerdict {
  if (findings.some(({ level }) => level === 'unreachable')) return 'unreachable'
  return findings.some(preventsRun) ? 'senseless' : 'ready'
}
