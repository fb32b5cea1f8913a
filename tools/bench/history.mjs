/**
 * `npm run bench:history -- [NIGHTS]`: prints the sizes of a run of the whole suite. Then measures `conform history` over copies of this run
 * (default: 30) with other ids and days. The first call reads the records, the second the facts that the first stored.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readRecord } from '../../dist/record/file/read-record.js'
import { openRecord } from '../../dist/record/file/write-record.js'
import { inSeconds, measuredCall } from './measured-call.mjs'

const nights = Number(process.argv[2] ?? 30)
const folder = mkdtempSync(join(tmpdir(), 'bench-history-'))
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

for (const name of readdirSync(run).filter((one) => /^run[-\d]*\.ndjson/.test(one))) {
  const file = join(run, name)
  const { header, rows, footer } = await readRecord(file)
  if (!footer) throw new Error(`${file} has no footer`)
  for (let night = 0; night < nights; night += 1) {
    mkdirSync(join(folder, 'nights', String(night)), { recursive: true })
    const startedAt = new Date(Date.parse(header.startedAt) + night * day).toISOString()
    const other = { ...header, run: `${header.run}-${night}`, startedAt }
    const writer = await openRecord(join(folder, 'nights', String(night), name), other)
    await Promise.all(rows.map((row) => writer.row(row)))
    await writer.close({ endedAt: footer.endedAt, milliseconds: footer.milliseconds })
  }
}
const pages = ['records', 'stored facts'].map((from) => {
  const out = join(folder, 'history.html')
  const { elapsed, cpu, memory } = measuredCall(['history', join(folder, 'nights'), '--out', out])
  console.log(
    `${nights} nights from ${from.padEnd(13)} ${inSeconds(elapsed)}, CPU ${inSeconds(cpu)}, ${Math.round(memory)} MiB`,
  )
  return readFileSync(out, 'utf8')
})
rmSync(folder, { recursive: true })
if (pages[0] !== pages[1]) throw new Error('the pages differ')
