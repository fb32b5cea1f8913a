import type { RunHeader } from '../../../record/types/record.js'
import { type VerdictCounts, verdictMeaning } from '../../../record/types/verdict.js'
import { possibleVerdicts } from '../../summary/possible-verdicts.js'
import { verdictIcon } from '../../wording/verdict-icon.js'
import { addressOf } from '../state/route.js'
import { VerdictBar } from './verdict-bar.js'

/** Every verdict that rows could have with its count, those that no row has included: what did not run must be as plain as what failed. */
export function VerdictTiles({ counts, header }: { counts: VerdictCounts; header: RunHeader }) {
  return (
    <section class="card" aria-labelledby="verdicts">
      <h2 id="verdicts">Rows by verdict</h2>
      <VerdictBar counts={counts} />
      <ul class="tiles">
        {possibleVerdicts(counts, header).map((verdict) => (
          <li key={verdict} class={counts[verdict] > 0 ? verdict : 'none'} data-count={verdict}>
            <a href={addressOf({ view: 'rows', search: `verdict:${verdict}` })}>
              <span class="number">{counts[verdict]}</span> <span aria-hidden="true">{verdictIcon[verdict]}</span>{' '}
              <strong>{verdict}</strong>
            </a>
            <small>{verdictMeaning[verdict]}</small>
          </li>
        ))}
      </ul>
    </section>
  )
}
