/** Which rows change what is vetted, and whether they have put it back. */
import type { Evidence } from '../../record/types/record.js'
import type { ResolvedRow, ResolvedStep } from '../../record/types/resolved-row.js'
import { isSuccess } from '../judge/sent-steps.js'
import { requestsVetting } from '../target/dry-run.js'

/** A dry run counts as none, whatever the target makes of it: that shows at the end of the run. */
export const changesVetting = ({ impact, steps }: Pick<ResolvedRow, 'impact' | 'steps'>): boolean =>
  impact === 'topology' || steps.some(requestsVetting)

const isRefused = ({ response }: Evidence): boolean => Math.floor((response?.status ?? 0) / 100) === 4

/** Everything that restores was sent and accepted; where nothing restores, nothing was accepted that would have to be put back. */
export function hasRestored({ steps }: Pick<ResolvedRow, 'steps'>, evidence: readonly Evidence[]): boolean {
  const restores = steps.flatMap(({ role }, index) => (role === 'restore' ? [index] : []))
  if (restores.length === 0) return evidence.every((one) => isRefused(one) || !mayVet(steps[one.step]))
  return restores.every((index) => {
    const own = evidence.filter(({ step }) => step === index)
    return own.length > 0 && own.every(isSuccess)
  })
}

const mayVet = (step: ResolvedStep | undefined): boolean => step !== undefined && requestsVetting(step)
