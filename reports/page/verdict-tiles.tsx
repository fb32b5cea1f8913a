import { type VerdictCounts, verdictMeaning, verdicts } from '../../record/verdict.js'
import { verdictIcon } from '../verdict-icon.js'
import { addressOf } from './route.js'
import { VerdictBar } from './verdict-bar.js'

/** Every verdict with its count, those that no row has included: what did not run must be as plain as what failed. */
export function VerdictTiles({ counts }: { counts: VerdictCounts }) {
  return (
    <section class="card" aria-labelledby="verdicts">
      <h2 id="verdicts">Rows by verdict</h2>
      <VerdictBar counts={counts} />
      <ul class="tiles">
        {verdicts.map((verdict) => (
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
