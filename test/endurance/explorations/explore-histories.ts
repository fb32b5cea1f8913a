/**
 * Argument: explorations for each fault. Ends with 1 if 48,000 requests (two minutes at 400 per second) find no
 * history, or if it marks no answer.
 */
import { chance, drawFrom } from '../../../explore/generate/draw.js'
import { explored } from '../../support/records/explored.js'
import { intermittentParticipant } from '../../support/servers/intermittent-participant.js'

const bound = 48_000
const [times = '5'] = process.argv.slice(2)
/** Percent of the requests; nine of ten requests of a race lose. */
const odds: Record<'winners' | 'losses', number> = { winners: 0.2, losses: 0.1 }

for (const kind of ['winners', 'losses'] as const) {
  for (let time = 1; time <= Number(times); time += 1) {
    const ends: (() => unknown)[] = []
    const draw = drawFrom(`${kind} ${time}`)
    const url = await intermittentParticipant({ teardown: (end) => void ends.push(end) }, kind, () =>
      draw(chance(odds[kind])),
    )
    const { histories } = await explored({}, { url, seed: `${kind}-${time}`, requests: bound, maxFindings: 1 })
    for (const end of ends) await end()
    const [history] = histories
    const isMarked = history !== undefined && history.longest.length < history.calls.length
    const found = history
      ? `after ${history.requestsBefore} requests, ${history.seenAfter} s, in trial ${history.of}`
      : 'not found'
    console.log(`${kind} ${time}: ${found}${isMarked ? ', with an impossible answer' : ''}`)
    if (!isMarked) process.exitCode = 1
  }
}
