/**
 * `npm run bench:compare -- [NIGHTS]`: prints the sizes of a run of the whole suite. Then measures `conform compare` over copies of this run
 * (default: 30), whose summaries have other ids and days, and `conform diff` of two of them.
 */
import { cpSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inWords, measuredCall } from './measured-call.js'

const nights = Number(process.argv[2] ?? 30)
const folder = mkdtempSync(join(tmpdir(), 'bench-compare-'))
const day = 24 * 60 * 60 * 1000

await measuredCall('run', '--out', join(folder, 'results'))
// A copy of the link would be a link.
const run = realpathSync(join(folder, 'results', 'latest'))
for (const name of readdirSync(run)) {
  console.log(`${name.padEnd(20)}${(statSync(join(run, name)).size / 1e6).toFixed(2).padStart(8)} MB`)
}

const summary = JSON.parse(readFileSync(join(run, 'summary.json'), 'utf8'))
const { header } = summary
for (let night = 0; night < nights; night += 1) {
  const copy = join(folder, 'nights', String(night))
  cpSync(run, copy, { recursive: true, filter: (source) => !/\.(?:html|xml|tap|json)$/.test(source) })
  const startedAt = new Date(Date.parse(header.startedAt) + night * day).toISOString()
  const other = { ...summary, header: { ...header, run: `${header.run}-${night}`, startedAt } }
  writeFileSync(join(copy, 'summary.json'), JSON.stringify(other))
}
for (const call of [
  ['compare', join(folder, 'nights'), '--out', join(folder, 'compare.html')],
  ['diff', join(folder, 'nights', '0'), join(folder, 'nights', '1')],
]) {
  console.log(`${call[0]}: ${inWords(await measuredCall(...call))}`)
}
console.log(`compare.html: ${(statSync(join(folder, 'compare.html')).size / 1e6).toFixed(2)} MB`)
rmSync(folder, { recursive: true })
