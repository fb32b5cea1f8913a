/** Which rows change what is vetted, and whether they have put it back. */
import type { Evidence } from '../../record/record.js'
import type { ResolvedRow } from '../../record/resolved-row.js'
import { isSuccess } from '../judge/sent-steps.js'
import { asksVetting } from '../target/dry-run.js'

/** A dry run counts as none, whatever the target makes of it: that shows at the end of the run. */
export const changesVetting = ({ impact, steps }: Pick<ResolvedRow, 'impact' | 'steps'>): boolean =>
  impact === 'topology' || steps.some(asksVetting)

/** Everything that restores was sent and accepted. */
export function hasRestored({ steps }: Pick<ResolvedRow, 'steps'>, evidence: readonly Evidence[]): boolean {
  return steps.every(({ role }, index) => {
    if (role !== 'restore') return true
    const own = evidence.filter(({ step }) => step === index)
    return own.length > 0 && own.every(isSuccess)
  })
}
