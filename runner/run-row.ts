/** One row of a run, from the plan to the record. */
import type { Evidence, Judgement, RunRow } from '../record/record.js'
import { type GivenTransactions, mayBeUsedUp, signatureMissing, withGiven } from './execute/given-transactions.js'
import { type PerformedRow, performRow } from './execute/perform-row.js'
import type { Session } from './execute/perform-step.js'
import { judgeRow, type RowVerdict } from './judge/judge-row.js'
import type { PlannedRow } from './plan/select.js'
import { type Fixtures, neededFixtures } from './provision/fixtures.js'
import { recordedVariables } from './recorded-texts.js'
import type { Profile, Suite } from './suite/suite.js'
import type { Variables } from './template/variables.js'

/** What all rows of a run have in common. */
export interface RowSetting {
  suite: Suite
  profile: Profile
  fixtures: Fixtures
  /** Undefined where the run makes all its keys itself. */
  given?: GivenTransactions
  session: Session
}

/** A row as it was planned, or with what was given in place of what it would have prepared. */
export async function runRow(planned: PlannedRow, marker: string, setting: RowSetting): Promise<RunRow> {
  const { fixtures, given, session } = setting
  const variables = new Map(fixtures.variables).set('row', marker)
  if (!given) return performAndJudge(planned, variables, setting)
  const next = planned.given && given.next(planned.given.fixture)
  if (typeof next === 'string') return notRun(planned, next)
  const own = next && planned.given ? withGiven(next, planned.given.capture, variables) : variables
  const missing = signatureMissing(planned.row, own, session)
  if (missing !== undefined) return notRun(planned, missing)
  const row = await performAndJudge(planned, own, setting)
  if (planned.given && mayBeUsedUp(row.evidence)) given.useUp(planned.given.fixture)
  return row
}

async function performAndJudge(
  planned: PlannedRow,
  variables: Variables,
  { suite, profile, fixtures, session }: RowSetting,
): Promise<RunRow> {
  const startedAt = new Date().toISOString()
  const begin = performance.now()
  const row = (judged: Omit<RowVerdict, 'judgements'>, judgements: Judgement[], evidence: Evidence[]): RunRow => ({
    ...identity(planned),
    ...judged,
    judgements,
    evidence,
    startedAt,
    milliseconds: Math.round((performance.now() - begin) * 1000) / 1000,
  })
  // The last one: what a fixture needs comes behind it, and is the cause if both could not be made.
  const needed = fixtures.failed.size > 0 ? [...neededFixtures([planned], suite)] : []
  const broken = needed.findLast((name) => fixtures.failed.has(name))
  if (broken !== undefined) {
    const reason = `the fixture ${broken} could not be made: ${fixtures.failed.get(broken) ?? ''}`
    return row({ verdict: 'blocked', reason }, [], [])
  }
  let performed: PerformedRow | undefined
  try {
    performed = await performRow(planned.case, planned.row, variables, session)
    const { judgements, ...judged } = judgeRow(planned.case, planned.row, performed, profile, suite)
    const own = recordedVariables(performed.variables, fixtures.variables)
    return { ...row(judged, judgements, performed.evidence), variables: own }
  } catch (error) {
    // A fault of ours that one answer brings about must not cost the rest of the run.
    const reason = `conform could not judge this row: ${error instanceof Error ? error.message : String(error)}`
    return row({ verdict: 'error', reason }, [], performed?.evidence ?? [])
  }
}

/** `reason`: why not. */
export function notRun(planned: PlannedRow, reason: string): RunRow {
  const startedAt = new Date().toISOString()
  return {
    ...identity(planned),
    verdict: 'inapplicable',
    reason,
    judgements: [],
    evidence: [],
    startedAt,
    milliseconds: 0,
  }
}

function identity({ case: suiteCase, row, id }: PlannedRow) {
  return {
    type: 'row' as const,
    id,
    case: suiteCase.id,
    row: row.id,
    title: row.title,
    operation: suiteCase.operation,
    rules: row.rules,
    impact: row.impact,
    source: { file: row.place.file, line: row.place.line },
  }
}
