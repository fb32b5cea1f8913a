/** Which rows change what is vetted, and whether they have put it back. */
import { isJsonObject } from '../../interface/json.js'
import type { Evidence } from '../../record/record.js'
import type { ResolvedRow, ResolvedStep } from '../../record/resolved-row.js'
import { isSuccess } from '../judge/sent-steps.js'

/** A dry run counts as none, whatever the target makes of it: that shows at the end of the run. */
export const changesVetting = ({ impact, steps }: Pick<ResolvedRow, 'impact' | 'steps'>): boolean =>
  impact === 'topology' || steps.some(isUpdate)

const isUpdate = (step: ResolvedStep | undefined): boolean =>
  step?.operation === 'update-package-vetting' && !isDry(step)

const isRefused = ({ response }: Evidence): boolean => Math.floor((response?.status ?? 0) / 100) === 4

function isDry({ request: { body } }: ResolvedStep): boolean {
  return body !== undefined && 'json' in body && isJsonObject(body.json) && body.json['dryRun'] === true
}

/** Everything that restores was sent and accepted; where nothing restores, nothing was accepted that would have to be put back. */
export function hasRestored({ steps }: Pick<ResolvedRow, 'steps'>, evidence: readonly Evidence[]): boolean {
  const restores = steps.flatMap(({ role }, index) => (role === 'restore' ? [index] : []))
  if (restores.length === 0) return evidence.every((one) => isRefused(one) || !isUpdate(steps[one.step]))
  return restores.every((index) => {
    const own = evidence.filter(({ step }) => step === index)
    return own.length > 0 && own.every(isSuccess)
  })
}
