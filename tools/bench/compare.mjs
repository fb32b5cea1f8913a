/**
 * `npm run bench:compare -- [NIGHTS]`: prints the sizes of a run of the whole suite. Then measures `conform compare` over copies of this run
 * (default: 30), whose summaries have other ids and days, and `conform diff` of two of them.
 */
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inSeconds, measuredCall } from './measured-call.mjs'

const nights = Number(process.argv[2] ?? 30)
const folder = mkdtempSync(join(tmpdir(), 'bench-compare-'))
const day = 24 * 60 * 60 * 1000

const inMegabytes = (/** @type {number} */ bytes) => `${(bytes / 1e6).toFixed(2)} MB`

measuredCall(['run', '--out', join(folder, 'results')])
const run = join(folder, 'results', 'latest')
let total = 0
for (const name of readdirSync(run)) {
  const { size } = statSync(join(run, name))
  total += size
  console.log(`${name.padEnd(20)}${inMegabytes(size).padStart(10)}`)
}
console.log(`${'one run'.padEnd(20)}${inMegabytes(total).padStart(10)}\n`)

const summary = JSON.parse(readFileSync(join(run, 'summary.json'), 'utf8'))
const { header } = summary
for (let night = 0; night < nights; night += 1) {
  const copy = join(folder, 'nights', String(night))
  mkdirSync(copy, { recursive: true })
  for (const name of readdirSync(run).filter((one) => /^run[-\d]*\.ndjson/.test(one)))
    copyFileSync(join(run, name), join(copy, name))
  const startedAt = new Date(Date.parse(header.startedAt) + night * day).toISOString()
  const other = { ...summary, header: { ...header, run: `${header.run}-${night}`, startedAt } }
  writeFileSync(join(copy, 'summary.json'), JSON.stringify(other))
}
for (const call of [
  ['compare', join(folder, 'nights'), '--out', join(folder, 'compare.html')],
  ['diff', join(folder, 'nights', '0'), join(folder, 'nights', '1')],
]) {
  const { elapsed, cpu, memory } = measuredCall(call)
  console.log(`${call[0]}: ${inSeconds(elapsed)}, CPU ${inSeconds(cpu)}, ${Math.round(memory)} MiB`)
}
rmSync(folder, { recursive: true })
