/** The state of the run that remains on the participant, by name. */
import { perShardNote, remainingState } from '../../summary/remaining-state.js'
import type { LoadedRun } from '../state/loaded-run.js'

export function RemainingState({ run }: { run: LoadedRun }) {
  const items = remainingState(run)
  if (items.length === 0) return null
  return (
    <section class="card" aria-labelledby="remaining">
      <h2 id="remaining">Remains on the participant{perShardNote(run.header)}</h2>
      <ul class="plain">
        {items.map(({ what, names }) => (
          <li key={what}>
            <strong>{what}</strong>
            {names.length > 0 && `: ${names.join(', ')}`}
          </li>
        ))}
      </ul>
    </section>
  )
}
