import { byEachPart, whatStays } from '../../summary/remaining-state.js'
import type { LoadedRun } from '../state/loaded-run.js'

/** What the run has left at its target, by name: somebody may want to look after it. */
export function WhatStays({ run }: { run: LoadedRun }) {
  const stays = whatStays(run)
  if (stays.length === 0) return null
  return (
    <section class="card" aria-labelledby="stays">
      <h2 id="stays">What stays at the target{byEachPart(run.header)}</h2>
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
