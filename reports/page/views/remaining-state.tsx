import { perShardNote, remainingState } from '../../summary/remaining-state.js'
import type { LoadedRun } from '../state/loaded-run.js'

/** What the run has left at its target, by name: somebody may want to look after it. */
export function RemainingState({ run }: { run: LoadedRun }) {
  const stays = remainingState(run)
  if (stays.length === 0) return null
  return (
    <section class="card" aria-labelledby="stays">
      <h2 id="stays">What stays at the target{perShardNote(run.header)}</h2>
      <ul class="plain">
        {stays.map(({ what, names }) => (
          <li key={what}>
            <strong>{what}</strong>
            {names.length > 0 && `: ${names.join(', ')}`}
          </li>
        ))}
      </ul>
    </section>
  )
}
