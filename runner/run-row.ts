/** One row of a run, from the plan to the record. */
import type { Redaction } from '../interface/redaction.js'
import type { RunRow } from '../record/record.js'
import type { OtherExpectations, ResolvedRow } from '../record/resolved-row.js'
import { type PerformedRow, performRow } from './execute/perform-row.js'
import {
  mayBeUsedUp,
  type PresignedTransactions,
  signatureMissing,
  withPresigned,
} from './execute/presigned-transactions.js'
import type { Session } from './execute/session.js'
import { withExpectations } from './judge/by-another-profile.js'
import { judgeRow, type RowVerdict } from './judge/judge-row.js'
import { knownElsewhere } from './judge/known-elsewhere.js'
import type { PlannedRow } from './plan/select.js'
import type { Fixtures } from './provision/fixtures.js'
import { recordedVariables } from './template/recorded-variables.js'
import type { Variables } from './template/variables.js'

/** What all rows of a run have in common. */
export interface RowSetting {
  fixtures: Fixtures
  /** Undefined where the run makes all its keys itself. */
  presigned?: PresignedTransactions
  session: Session
  redaction: Redaction
  /** What other profiles expect of a row, by their names. */
  otherwise(row: ResolvedRow): Record<string, OtherExpectations>
}

/** A row as it was planned, or with what was presigned in place of what it would have prepared. */
export async function runRow(planned: PlannedRow, marker: string, setting: RowSetting): Promise<RunRow> {
  const { fixtures, presigned, session } = setting
  const variables = new Map(fixtures.variables).set('row', marker)
  if (!presigned) return performAndJudge(planned, variables, setting)
  const next = planned.presigned && presigned.next(planned.presigned.fixture)
  if (typeof next === 'string') return notRun(planned, next)
  const own = next && planned.presigned ? withPresigned(next, planned.presigned.capture, variables) : variables
  const missing = signatureMissing(planned.row, own, session)
  if (missing !== undefined) return notRun(planned, missing)
  const row = await performAndJudge(planned, own, setting)
  if (planned.presigned && mayBeUsedUp(row.evidence)) presigned.useUp(planned.presigned.fixture)
  return row
}

async function performAndJudge(
  { row: resolved }: PlannedRow,
  variables: Variables,
  { fixtures, session, otherwise }: RowSetting,
): Promise<RunRow> {
  const startedAt = new Date().toISOString()
  const begin = performance.now()
  const ended = (judged: RowVerdict, performed: Pick<PerformedRow, 'evidence' | 'stopped'>): RunRow => ({
    ...{ type: 'row', id: resolved.id },
    ...judged,
    evidence: performed.evidence,
    ...(performed.stopped !== undefined && { stopped: performed.stopped }),
    startedAt,
    milliseconds: Math.round((performance.now() - begin) * 1000) / 1000,
    resolved,
  })
  // The last one: what a fixture needs comes behind it, and is the cause if both could not be made.
  const broken = resolved.fixtures.findLast((name) => fixtures.failed.has(name))
  if (broken !== undefined) {
    const reason = `the fixture ${broken} could not be made: ${fixtures.failed.get(broken) ?? ''}`
    return ended({ verdict: 'blocked', reason, judgements: [] }, { evidence: [] })
  }
  let performed: PerformedRow | undefined
  try {
    performed = await performRow(resolved, variables, session)
    const judged = judgeRow(resolved, performed)
    const known = judged.verdict === 'fail' ? knownElsewhere(byOthers(resolved, otherwise), performed) : undefined
    const reason = [judged.reason, known].filter((part) => part !== undefined).join(' ')
    const own = recordedVariables(performed.variables, fixtures.variables)
    return { ...ended({ ...judged, ...(reason !== '' && { reason }) }, performed), variables: own }
  } catch (error) {
    // A fault of ours that one answer brings about must not cost the rest of the run.
    const reason = `conform could not judge this row: ${error instanceof Error ? error.message : String(error)}`
    return ended({ verdict: 'error', reason, judgements: [] }, { evidence: performed?.evidence ?? [] })
  }
}

const byOthers = (row: ResolvedRow, otherwise: RowSetting['otherwise']): [string, ResolvedRow][] =>
  Object.entries(otherwise(row)).map(([name, expectations]) => [name, withExpectations(row, expectations)])

/** `reason`: why not. */
export function notRun({ row }: PlannedRow, reason: string): RunRow {
  return {
    type: 'row',
    id: row.id,
    verdict: 'not-applicable',
    reason,
    judgements: [],
    evidence: [],
    startedAt: new Date().toISOString(),
    milliseconds: 0,
    resolved: row,
  }
}
