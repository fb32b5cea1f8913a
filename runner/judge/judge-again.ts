import { withOracleFindings } from '../../record/judgements/oracle-findings.js'
import { expectationsOf } from '../../record/judgements/references.js'
import { tallyOf } from '../../record/judgements/tally.js'
import { waiversOf, withWaivers } from '../../record/judgements/waivers.js'
import type { Reason } from '../../record/types/reason.js'
import type { RecordedProfile, RunHeader, RunRecord, RunRow } from '../../record/types/record.js'
import type { OtherExpectations, ResolvedRow, ResolvedStep } from '../../record/types/resolved-row.js'
import { variablesOf } from '../template/variables.js'
import type { RowVerdict } from './judge-row.js'
import { judgeWithText } from './judge-with-text.js'
import { withExpectations } from './other-expectations.js'
import { isSuccess } from './sent-steps.js'

/** A profile that is not the profile of the run. */
export interface OtherProfile {
  profile: RecordedProfile
  /** Undefined for rows with other requests. */
  expectations(row: ResolvedRow): OtherExpectations | undefined
  /** Of the interface text. */
  byText(row: ResolvedRow): OtherExpectations | undefined
}

/** By the profile of the run, or by another one. Rows with insufficient evidence are blocked. */
export function judgeAgain(record: RunRecord, other?: OtherProfile): RunRecord {
  const { rows, footer } = record
  const original = record.header.profile
  const profile = other?.profile ?? original
  const waivers = waiversOf({ ...record.header, profile })
  const anew = rows.map((row) => {
    const again = judgeRowAgain(row, other, record)
    return row.evidence.length === 0 ? again : withWaivers(again, waivers)
  })
  const header = { ...record.header, profile, judgedAgain: { profile: original.name } }
  const judged = withOracleFindings(anew, record.oracles?.findings)
  const { rules: _, ...result } = tallyOf(header, judged)
  return { ...record, header, rows: judged, ...(footer && { footer: { ...footer, ...result } }) }
}

function judgeRowAgain(row: RunRow, other: OtherProfile | undefined, { header }: RunRecord): RunRow {
  const expectations = other?.expectations(row.resolved)
  const resolved = expectations ? withExpectations(row.resolved, expectations) : row.resolved
  if (row.evidence.length === 0) return { ...row, resolved }
  if (lacksControl(row.resolved, header))
    return { ...withoutJudgements(row), reason: { code: 'control-missing', operation: row.resolved.operation } }
  const obstacle: Reason | undefined =
    other && !expectations ? { code: 'other-requests', profile: other.profile.name } : obstacleOf(row, resolved, header)
  if (obstacle) return unjudged({ ...row, resolved }, obstacle)
  const { evidence, stopped } = row
  const judged = attempt(() => {
    const variables = variablesOf(header.variables, row.variables)
    const text = (): OtherExpectations | undefined => (other ? other.byText(resolved) : row.byText)
    return judgeWithText(resolved, { evidence, variables, stopped }, text)
  })
  if (judged instanceof Error)
    return unjudged({ ...row, resolved }, { code: 'expectations-invalid', fault: judged.message })
  const early = endedEarly(row.resolved, resolved, judged)
  if (early !== undefined) return unjudged({ ...row, resolved }, early)
  const { reason: _, known: __, byText: ___, verdictByText: ____, waiver: _____, ...rest } = row
  return { ...rest, ...judged, resolved }
}

/** A record of any origin may contain invalid expectations. */
function attempt(judge: () => RowVerdict): RowVerdict | Error {
  try {
    return judge()
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

/** A row that cannot be judged must never count as passed. */
const withoutJudgements = ({ known: _, byText: __, verdictByText: ___, waiver: ____, ...row }: RunRow): RunRow => ({
  ...row,
  verdict: 'blocked',
  judgements: [],
})

const unjudged = (row: RunRow, because: Reason): RunRow => ({
  ...withoutJudgements(row),
  reason: { code: 'not-judged-again', because },
})

/** A run does not send a row without its control. */
const lacksControl = ({ control }: ResolvedRow, { controls = [] }: RunHeader): boolean =>
  control !== undefined && !controls.some(({ fixture, evidence }) => fixture === control && isSuccess(evidence))

/** Why the record does not permit to judge the row. */
export function obstacleOf(row: RunRow, resolved: ResolvedRow, header: RunHeader): Reason | undefined {
  if (row.redacted || usesRedacted(resolved, header)) return { code: 'evidence-redacted' }
  const cut = row.evidence.find(
    ({ step, request, response }) => response?.body.cut || (request.body?.cut && checksRequest(resolved.steps[step])),
  )
  return cut && { code: 'evidence-cut', step: resolved.steps[cut.step]?.name ?? '' }
}

function usesRedacted({ values, steps }: ResolvedRow, { redacted, variables = {} }: RunHeader): boolean {
  if (!redacted) return false
  const hidden = Object.keys(variables).filter((name) => variables[name]?.includes('[redacted'))
  // The header does not show which variables are redacted.
  if (hidden.length === 0) return true
  const text = JSON.stringify([values, steps])
  return hidden.some((name) => text.includes(`\${${name}}`))
}

const checksRequest = (step: ResolvedStep | undefined): boolean =>
  (step ? expectationsOf(step) : []).some(({ anyOf }) =>
    anyOf.some(({ checks }) => checks.some(({ on }) => on === 'hash')),
  )

/** The step was repeated until it met other expectations, so its next answer is unknown. */
function endedEarly(original: ResolvedRow, resolved: ResolvedRow, { judgements }: RowVerdict): Reason | undefined {
  const unmet = new Set(judgements.filter(({ met }) => !met).map(({ step }) => step))
  const found = resolved.steps.find(
    ({ eventually, expectations }, index) =>
      eventually !== undefined &&
      unmet.has(index) &&
      JSON.stringify(expectations) !== JSON.stringify(original.steps[index]?.expectations),
  )
  return found && { code: 'repeated-for-other-profile', step: found.name }
}
