/**
 * `node dist/test/endurance/hostile-answers.js [COUNT] [SEED] [PATTERN…]`. Patterns choose the rows; `*` is the whole
 * suite.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hostileAnswers } from '../support/servers/hostile-answers.js'
import { meetAll } from './meet-hostile-answers.js'

const [count = '300', seed = 'hostile', ...patterns] = process.argv.slice(2)
const folder = await mkdtemp(join(tmpdir(), 'hostile-'))
const inMib = (bytes: number): number => Math.round(bytes / 1024 / 1024)
const codes = new Map<number | null, number>()
let [bad, longest, most] = [0, 0, 0]
await meetAll(
  hostileAnswers(seed, Number(count)),
  folder,
  ({ name, code, milliseconds, memory, problems }) => {
    codes.set(code, (codes.get(code) ?? 0) + 1)
    longest = Math.max(longest, milliseconds)
    most = Math.max(most, memory)
    if (problems.length > 0) bad += 1
    console.log(`${name}: exit ${code}, ${Math.round(milliseconds)} ms, ${inMib(memory)} MiB`)
    for (const problem of problems) console.log(`    ! ${problem}`)
  },
  patterns.length > 0 ? patterns : undefined,
)
await rm(folder, { recursive: true })
console.log(`${count} answers, seed ${seed}: ${bad} with problems; exits ${JSON.stringify([...codes].sort())}`)
console.log(`longest run ${Math.round(longest)} ms; a run took ${inMib(most)} MiB of memory at most`)
process.exitCode = bad > 0 ? 1 : 0
