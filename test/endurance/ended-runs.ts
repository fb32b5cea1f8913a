/** Ends runs at random times while they change vetting: `node dist/test/endurance/ended-runs.js [COUNT] [SEED]` */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vettingEnvironment } from '../support/ledgers/vetting-environment.js'
import { drawFrom } from '../support/servers/hostile-answers.js'

const [count = '40', seed = 'ended'] = process.argv.slice(2)
const draw = drawFrom(seed)
const folder = await mkdtemp(join(tmpdir(), 'ended-'))
const environment = await vettingEnvironment('VET-*')
let bad = 0
for (let index = 0; index < Number(count); index += 1) {
  const signal = (['SIGINT', 'SIGKILL', 'SIGTERM', 'SIGKILL'] as const)[index % 4] ?? 'SIGKILL'
  const out = join(folder, String(index))
  const { code, isAsBefore, stdout } = await environment.endedRun(out, signal, 1 + draw(12), draw(40))
  const repaired = signal === 'SIGKILL' ? await environment.nextRun(out) : { isAsBefore, stdout: '' }
  const lied = [stdout, repaired.stdout].some((text) => /^PASS/m.test(text) && /planned rows are complete\./.test(text))
  const isGood = repaired.isAsBefore && !lied && (signal === 'SIGKILL' ? code === null : code === 5)
  if (!isGood) bad += 1
  console.log(
    `${index}: ${signal}, exit ${code}: vetting ${isAsBefore ? 'as before' : 'changed'}${signal === 'SIGKILL' ? `, after the next run ${repaired.isAsBefore ? 'as before' : 'CHANGED'}` : ''}${isGood ? '' : ' !'}`,
  )
}
await environment.close()
await rm(folder, { recursive: true })
console.log(`${count} runs ended, seed ${seed}: ${bad} bad`)
process.exitCode = bad > 0 ? 1 : 0
