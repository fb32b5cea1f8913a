/** Halts the target for ten seconds at a random row: `node dist/test/endurance/halted-target.js [COUNT] [SEED]` */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { haltedRun } from '../support/processes/halted-run.js'
import { drawFrom } from '../support/servers/hostile-answers.js'

const [count = '4', seed = 'halted'] = process.argv.slice(2)
const draw = drawFrom(seed)
const milliseconds = 10_000
const folder = await mkdtemp(join(tmpdir(), 'halted-'))
const calm = await haltedRun(join(folder, 'calm'), {})
let bad = 0
for (let index = 0; index < Number(count); index += 1) {
  const afterRows = 1 + draw(calm.verdicts.length - 10)
  const { verdicts, longest } = await haltedRun(join(folder, String(index)), {}, { afterRows, milliseconds })
  const others = verdicts.filter((one, at) => one !== calm.verdicts[at])
  if (others.length > 0) bad += 1
  console.log(
    `${index}: halted after ${afterRows} of ${verdicts.length} rows, longest exchange ${Math.round(longest)} ms: ${others.length} verdicts differ`,
  )
  for (const other of others) console.log(`    ! ${other}`)
}
await rm(folder, { recursive: true })
console.log(`${count} runs with a halted target, seed ${seed}: ${bad} bad`)
process.exitCode = bad > 0 ? 1 : 0
