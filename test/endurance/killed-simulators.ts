/**
 * Killed simulators start again with their last completed save: `node dist/test/endurance/killed-simulators.js [KILLS]
 * [SEED]`
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type KilledSimulators, killSimulators } from '../support/processes/killed-simulators.js'
import { drawFrom } from '../support/servers/hostile-answers.js'

const [count = '1000', seed = 'killed'] = process.argv.slice(2)
const perFile = 25
/** A start waits for the lock of the killed process. */
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
      console.log(`file ${index}: ${kills} kills, ${certain} parties with a guaranteed save, ${unsaved} without`)
      for (const sentence of broken) console.log(`    ! ${sentence}`)
    }
  }),
)
await rm(folder, { recursive: true })
const sum = (of: (found: KilledSimulators) => number): number => results.reduce((total, one) => total + of(one), 0)
const broken = sum((found) => found.broken.length)
console.log(
  `${sum(({ kills }) => kills)} kills (${sum(({ inStart }) => inStart)} during a start), seed ${seed}: ` +
    `${sum(({ certain }) => certain)} parties with a guaranteed save, ${sum(({ unsaved }) => unsaved)} without; ${broken} unmet guarantees`,
)
process.exitCode = broken > 0 ? 1 : 0
