/** The basis of an expectation: rules, strength, confidence, situation and source. */
import type { PageExpectation, Unjudged } from '../../formats/page-data.js'
import { obligation } from '../../wording/obligation.js'

export function Basis({
  rules,
  strength,
  confidence,
  situation,
  basis,
  besides,
  divergence,
  source,
}: Omit<Unjudged, 'expected'> & Partial<PageExpectation>) {
  const origins = [
    situation === undefined ? '' : `situation ${situation}`,
    basis === undefined ? '' : `basis: ${basis}`,
    divergence === undefined ? '' : `divergence ${divergence}`,
    besides === undefined ? '' : `second error in the request: ${besides}`,
  ]
  return (
    <>
      {rules.join(', ')} <span class="tag">{obligation({ strength, confidence })}</span>{' '}
      <span class="muted">{origins.filter((origin) => origin !== '').join(', ')}</span>
      {source !== undefined && (
        <>
          <br />
          <span class="muted source">{source}</span>
        </>
      )}
    </>
  )
}
