/** The waivers of the run, with owner and expiry date. */
import { aboutWhat } from '../../../record/judgements/waivers.js'
import { count } from '../../wording/words.js'
import type { LoadedRun } from '../state/loaded-run.js'
import { addressOf } from '../state/route.js'

export function Waivers({ run }: { run: LoadedRun }) {
  const { waivers = [] } = run.header
  if (waivers.length === 0) return null
  const excused = run.conclusion.counts.excused
  return (
    <section class="card" aria-labelledby="waivers">
      <h2 id="waivers">Waivers</h2>
      <p>
        <a href={addressOf({ view: 'rows', search: 'verdict:excused' })}>{count(excused, 'row')} excused</a>
      </p>
      <ul class="plain">
        {waivers.map((waiver) => (
          <li key={`${aboutWhat(waiver)} ${waiver.until}`}>
            <code>{aboutWhat(waiver)}</code>: {waiver.reason} ({waiver.owner}, until {waiver.until}
            {waiver.link !== undefined && `, ${waiver.link}`})
          </li>
        ))}
      </ul>
    </section>
  )
}
