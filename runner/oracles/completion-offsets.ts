/** The `completionOffset` of answers beside the completions that rows read. Pure. */
import type { OracleFinding } from '../../record/types/record.js'
import { contradicted, type ReconciledRun } from './reconciled-run.js'

/**
 * A row compares the offset of one submission. A participant may report a wrong offset rarely, and the completions that
 * rows read contain those of other rows.
 */
export function wrongOffsets({
  accepted,
  completions,
}: Pick<ReconciledRun, 'accepted' | 'completions'>): OracleFinding[] {
  const offsets = new Map(completions.map(({ updateId, offset }) => [updateId, offset]))
  return accepted.flatMap(({ row, updateId, completionOffset }) => {
    if (updateId === undefined || completionOffset === undefined) return []
    const expected = offsets.get(updateId)
    if (expected === undefined || expected === completionOffset) return []
    const reason = { code: 'completion-offset-differs', update: updateId, found: completionOffset, expected } as const
    return [{ ...contradicted('completions', reason, row), rules: ['SAW-COMPLETION-OFFSET'] }]
  })
}
