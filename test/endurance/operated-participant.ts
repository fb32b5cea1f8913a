/** Explores a participant with other names, a clock that stands still and another order of checks. Argument: requests. */
import { explored } from '../support/records/explored.js'
import { startOperatedParticipant } from '../support/servers/operated-participant.js'

const [requests = '20000'] = process.argv.slice(2)

const { url, close, reordered } = await startOperatedParticipant(2)
const { findings, histories, divergences, unconfirmed, exchanges, seconds } = await explored(
  {},
  { url, seed: 'operated', requests: Number(requests) },
)
await close()
console.log(
  `${exchanges} compared requests in ${seconds} s, ${reordered()} with three faults, ${findings.length} findings, ${unconfirmed.size} unconfirmed`,
)
for (const { signature, answers } of findings)
  console.log(`    ${signature}: ${answers.reference.said} | ${answers.target.said}`)
for (const { points } of divergences) console.log(`    known: ${points.join(' ')}`)
process.exitCode = findings.length + histories.length > 0 ? 1 : 0
