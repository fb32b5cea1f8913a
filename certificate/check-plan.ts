import type { PlanLine, RunHeader, RunRecord } from '../record/record.js'
import type { ResolvedRow } from '../record/resolved-row.js'
import { comparable } from './comparable.js'
import type { DerivedPlan } from './derive-plan.js'

/** Where the plan of the record differs from what the suite gives, row by row. */
export function checkPlan({ header, plan }: RunRecord, { resolved, others }: DerivedPlan): string[] {
  const wanted = new Map(resolved.rows.map((row) => [row.id, row]))
  const planned = new Set(plan.map(({ row }) => row.id))
  return [
    ...plan.flatMap((line) => differences(line, wanted.get(line.row.id), others, header)),
    ...[...wanted.keys()].filter((id) => !planned.has(id)).map((id) => `${id} is in the suite, and not in the plan`),
  ]
}

function differences(
  { row, otherwise = {} }: PlanLine,
  wanted: ResolvedRow | undefined,
  others: DerivedPlan['others'],
  header: RunHeader,
): string[] {
  if (!wanted || comparable(wanted) !== comparable(withoutPresigned(row, header)))
    return [`the plan of ${row.id} differs from the suite`]
  return comparable(otherwise) === comparable(others.otherwise(wanted))
    ? []
    : [`the plan of ${row.id} differs from the suite in what other profiles expect`]
}

/** Transactions from elsewhere replace the steps that prepare them. */
function withoutPresigned(row: ResolvedRow, { target }: RunHeader): ResolvedRow {
  if (!target.file || target.file.presigned === 0) return row
  const steps = row.steps.map(({ presigned, ...step }) =>
    presigned && !step.presignable ? { presigned, ...step } : step,
  )
  return { ...row, steps }
}
