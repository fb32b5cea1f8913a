/**
 * Explorations of simulators that are killed and start again, with their state and empty. No outage causes a finding.
 * `node dist/test/endurance/restarted-targets.js [RESTARTS] [SEED]`
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exploreWithRestarts, type Restarts } from '../support/processes/restarted-exploration.js'

const [count = '5', seed = 'restarted'] = process.argv.slice(2)
const folder = await mkdtemp(join(tmpdir(), 'restarted-'))
let problems = 0

async function explore(about: string, wanted: Restarts, ends: boolean): Promise<void> {
  const { explored, end, restarts } = await exploreWithRestarts(wanted)
  const { sequences, discarded, exchanges, findings, histories, divergences, unconfirmed } = explored
  const found = [...findings.map(({ signature }) => signature), ...histories.map(({ sentence }) => sentence)]
  const isEnded = end.decided?.cause === 'target-gone'
  if (found.length + divergences.length > 0 || isEnded !== ends) problems += 1
  console.log(
    `${about}: ${restarts} restarts, ${exchanges} requests in ${sequences} sequences, ${discarded} discarded results, ` +
      `${found.length} findings, ${divergences.length} divergences, ${unconfirmed.size} unconfirmed differences, ` +
      `${isEnded ? 'ended: target gone' : 'completed'}`,
  )
  for (const sentence of found) console.log(`    ${sentence}`)
}

try {
  const restarts = Number(count)
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    const file = join(folder, `${signal}.json`)
    const sequences = 60 * (restarts + 1)
    await explore(`with its state, ${signal}`, { seed, signal, file, period: 60, sequences, most: restarts }, false)
  }
  for (let round = 1; round <= restarts; round += 1)
    await explore(
      `empty, exploration ${round}`,
      { seed: `${seed}-${round}`, signal: 'SIGKILL', period: 7 * round, sequences: 1000, most: 1 },
      true,
    )
} finally {
  await rm(folder, { recursive: true })
}
console.log(`${problems} explorations with an unexpected result`)
process.exitCode = problems > 0 ? 1 : 0
