import type { Judgement, OracleFinding, RunRecord, RunRow } from '../types/record.js'
import type { ResolvedRow } from '../types/resolved-row.js'
import type { Verdict } from '../types/verdict.js'
import { countingJudgements, unmetVerdict } from './counting-judgements.js'

/** Verdicts that an oracle supported. A failure, or a row that was not judged, needs no oracle. */
const supported: readonly Verdict[] = ['pass', 'warning', 'follows-the-text', 'unexpected-pass']
const failable: readonly Verdict[] = [...supported, 'not-applicable']
const disturbable: readonly Verdict[] = [...failable, 'fail']

/** Verdicts of rows are written before the last reads, so both the writer and the reader apply the findings. */
export function withOracleFindings<Row extends RunRow>(
  rows: readonly Row[],
  findings: readonly OracleFinding[] = [],
): Row[] {
  const contradicted = byRow(findings.filter(({ kind }) => kind === 'contradicted'))
  const disturbed = byRow(findings.filter(({ kind }) => kind === 'disturbed'))
  const unproven = byRow(findings.filter(({ kind }) => kind === 'unproven'))
  return rows.map((row) => {
    const failure = contradicted.get(row.id)
    if (failure && failable.includes(row.verdict) && row.evidence.length > 0)
      return { ...row, verdict: 'fail', reason: failure.reason, judgements: [...row.judgements, unmet(row, failure)] }
    const disturbance = disturbed.get(row.id)
    // Reports group failures by their judgements, which would name rules of other causes.
    if (disturbance && isDisturbable(row))
      return { ...row, verdict: 'blocked', reason: disturbance.reason, judgements: [] }
    const doubt = unproven.get(row.id)
    const isDoubtful = doubt && (supported.includes(row.verdict) || isOnlyBy(doubt.oracle, row))
    return isDoubtful ? { ...row, verdict: 'blocked', reason: doubt.reason } : row
  })
}

/** A row that an unexpected answer blocked, not one that an outage or the end of the run blocked. */
const isDisturbable = ({ verdict, evidence, judgements }: RunRow): boolean =>
  evidence.length > 0 &&
  (disturbable.includes(verdict) || (verdict === 'blocked' && judgements.some(({ met }) => !met)))

/** Only answers of the oracle contradict the row. */
function isOnlyBy(oracle: string, row: RunRow): boolean {
  if (row.verdict !== 'fail') return false
  const unmet = countingJudgements(row).filter((one) => !one.met && unmetVerdict(one) === 'fail')
  return (
    unmet.length > 0 &&
    unmet.every(({ step, role }) => role !== 'late-check' && row.resolved.steps[step]?.operation === oracle)
  )
}

/** The first finding of a row counts. */
const byRow = (findings: readonly OracleFinding[]): Map<string, OracleFinding> =>
  new Map(findings.toReversed().flatMap((finding) => finding.rows.map((id) => [id, finding] as const)))

const unmet = ({ resolved }: RunRow, { rules, reason }: OracleFinding): Judgement => ({
  step: stepOf(resolved),
  role: 'late-check',
  rules,
  strength: 'must',
  confidence: 'text',
  ...(reason.code === 'unmet'
    ? reason.unmet
    : { subject: 'ledger', check: 'oracle', wanted: [], found: [], because: reason }),
  met: false,
})

const stepOf = ({ steps }: ResolvedRow): number =>
  Math.max(
    0,
    steps.findIndex(({ role }) => role === 'act'),
  )

/** A participant that contradicts itself does not conform, also if no single row shows it. */
export const contradictions = ({ oracles }: RunRecord): OracleFinding[] =>
  (oracles?.findings ?? []).filter(({ kind }) => kind === 'contradicted')
