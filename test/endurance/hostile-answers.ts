/** The whole of it, as a command: `node dist/test/endurance/hostile-answers.js [COUNT] [SEED]`. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hostileAnswers } from '../hostile-answers.js'
import { meetAll } from './meet-hostile-answers.js'

const [count = '300', seed = 'hostile'] = process.argv.slice(2)
const largestMemory = 700 * 1024 * 1024
const folder = await mkdtemp(join(tmpdir(), 'hostile-'))
const print = console.log
// What the runs tell is not looked at here.
console.log = () => undefined
let bad = 0
const codes = new Map<number, number>()
let longest = 0
await meetAll(hostileAnswers(seed, Number(count)), folder, ({ name, code, milliseconds, problems }) => {
  codes.set(code, (codes.get(code) ?? 0) + 1)
  longest = Math.max(longest, milliseconds)
  if (problems.length > 0) bad += 1
  const { maxRSS } = process.resourceUsage()
  print(`${name}: exit ${code}, ${Math.round(milliseconds)} ms, ${Math.round(maxRSS / 1024)} MiB at most`)
  for (const problem of problems) print(`    ! ${problem}`)
})
await rm(folder, { recursive: true })
const memory = process.resourceUsage().maxRSS * 1024
print(`${count} answers, seed ${seed}: ${bad} with problems; exits ${JSON.stringify([...codes].sort())}`)
print(
  `longest run ${Math.round(longest)} ms; memory ${Math.round(memory / 1024 / 1024)} MiB at most, proxy and simulator included`,
)
process.exitCode = bad > 0 || memory > largestMemory ? 1 : 0
