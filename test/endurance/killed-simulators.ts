/**
 * Simulators that keep their state in a file, killed (SIGKILL) at random moments, also while they start: each starts again and has
 * everything that the last completed save had. `node dist/test/endurance/killed-simulators.js [KILLS] [SEED]`
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type KilledSimulators, killSimulators } from '../support/processes/killed-simulators.js'
import { drawFrom } from '../support/servers/hostile-answers.js'

const [count = '1000', seed = 'killed'] = process.argv.slice(2)
const perFile = 25
/** A start waits for the lock of the process that was killed, which takes no time of the processor. */
const atOnce = 8
const folder = await mkdtemp(join(tmpdir(), 'killed-'))
const files = Math.ceil(Number(count) / perFile)
const results: KilledSimulators[] = []
let next = 0
await Promise.all(
  Array.from({ length: atOnce }, async () => {
    for (let index = next++; index < files; index = next++) {
      const found = await killSimulators(join(folder, `${index}.json`), perFile, drawFrom(`${seed} ${index}`))
      results.push(found)
      const { kills, certain, unsaved, broken } = found
      console.log(`file ${index}: ${kills} kills, ${certain} parties saved, ${unsaved} not yet saved`)
      for (const sentence of broken) console.log(`    ! ${sentence}`)
    }
  }),
)
await rm(folder, { recursive: true })
const sum = (of: (found: KilledSimulators) => number): number => results.reduce((total, one) => total + of(one), 0)
const broken = sum((found) => found.broken.length)
console.log(
  `${sum(({ kills }) => kills)} kills (${sum(({ inStart }) => inStart)} during a start), seed ${seed}: ` +
    `${sum(({ certain }) => certain)} parties had to be saved, ${sum(({ unsaved }) => unsaved)} were answered later; ${broken} broken promises`,
)
process.exitCode = broken > 0 ? 1 : 0
