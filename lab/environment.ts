/** Provisions a target once, to run rows on copies of it. */
import { withOracleFindings } from '../record/judgements/oracle-findings.js'
import type { OracleFinding, RunRow } from '../record/types/record.js'
import type { ResolvedRow } from '../record/types/resolved-row.js'
import { nothingToWatch } from '../runner/changes/row-changes.js'
import { RowLimit } from '../runner/execute/row-limit.js'
import { planRun } from '../runner/plan/plan.js'
import type { PlannedRow } from '../runner/plan/select.js'
import { expectUsableTarget } from '../runner/preflight/check-target.js'
import { type ExaminedTarget, gatesOf } from '../runner/preflight/examine-target.js'
import type { RunOptions } from '../runner/preflight/run-options.js'
import { startSession } from '../runner/preflight/start-session.js'
import { resolveSuite } from '../runner/resolve/resolve-suite.js'
import { performPlan } from '../runner/run/perform-plan.js'
import { type ProvisionedRun, provisionRun } from '../runner/run/provision-run.js'
import { type OracleReading, readOracles, startLateChecks } from '../runner/run/read-oracles.js'
import { recordedVariables } from '../runner/template/variables.js'

export interface Environment {
  options: RunOptions
  target: ExaminedTarget
  provisioned: ProvisionedRun
  id: string
  keys: ReturnType<typeof startSession>['session']['keys']
}

const ignore = (): void => undefined

/** Rejects as `run` does. */
export async function provisionEnvironment(options: RunOptions): Promise<Environment> {
  const started = startSession(options, ignore)
  const suite = resolveSuite(options.suite, options.profile, options.protocolVersion)
  const { target } = await expectUsableTarget(options, started, {})
  const seed = options.seed ?? started.id
  const plan = planRun(suite, target.capabilities, { ...options, ...gatesOf(options, target), seed })
  const provisioned = await provisionRun(options, target, suite, plan, started, () => Promise.resolve())
  return { options, target, provisioned, id: started.id, keys: started.session.keys }
}

export const rowsIn = ({ provisioned: { plan } }: Environment): ResolvedRow[] =>
  [...plan.rows, ...plan.alone].map(({ row }) => row)

interface PerformedEnvironment extends Pick<OracleReading, 'options' | 'provisioned' | 'started'> {
  startedAt: string
}

/** On a copy of the target. */
export async function performAt(
  environment: Environment,
  url: string,
  isChosen: (row: ResolvedRow) => boolean,
  ended: (row: RunRow) => void,
): Promise<PerformedEnvironment> {
  const startedAt = new Date().toISOString()
  const options: RunOptions = { ...environment.options, target: { ...environment.options.target, url } }
  const { plan, fixtures } = environment.provisioned
  const chosen = (rows: readonly PlannedRow[]): PlannedRow[] => rows.filter(({ row }) => isChosen(row))
  const provisioned = {
    ...environment.provisioned,
    plan: { ...plan, rows: chosen(plan.rows), alone: chosen(plan.alone) },
  }
  const fresh = startSession(options, ignore)
  const started = { ...fresh, id: environment.id, session: { ...fresh.session, keys: environment.keys } }
  const { participantId } = environment.target.discovery
  if (participantId !== undefined) started.setParticipantId(participantId)
  started.guard.targetHasWorked()
  const lateChecks = await startLateChecks(options, environment.target, provisioned, started, ignore)
  const { session, redaction, guard, end } = started
  await performPlan(
    { rows: provisioned.plan.rows, alone: provisioned.plan.alone, left: [] },
    {
      session,
      redaction,
      guard,
      end,
      lateChecks,
      fixtures,
      recorded: fixtures.variables,
      changes: nothingToWatch,
      byText: () => undefined,
    },
    { row: () => Promise.resolve(), flush: () => Promise.resolve() },
    {
      limit: new RowLimit(options.concurrency),
      run: environment.id,
      seed: options.seed ?? environment.id,
      waivers: { all: [], day: '', lenient: false, named: new Map() },
      written: ended,
    },
  )
  return { options, provisioned, started, startedAt }
}

export interface ReadEnvironment {
  /** With the findings. */
  rows: RunRow[]
  findings: OracleFinding[]
}

/** Like `performAt`, with the reads after the last row. */
export async function performAndReadAt(
  environment: Environment,
  url: string,
  isChosen: (row: ResolvedRow) => boolean,
): Promise<ReadEnvironment> {
  const rows: RunRow[] = []
  const { startedAt, ...performed } = await performAt(environment, url, isChosen, (row) => void rows.push(row))
  const { fixtures, made } = performed.provisioned
  const header = {
    run: environment.id,
    made,
    controls: [...fixtures.controls],
    startedAt,
    variables: recordedVariables(fixtures.variables),
  }
  const reading = { ...performed, target: environment.target, begin: 0 }
  const { findings = [] } = (await readOracles(reading, header, rows)) ?? {}
  return { rows: withOracleFindings(rows, findings), findings }
}
