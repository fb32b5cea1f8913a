/**
 * `npm run bench:compare -- [NIGHTS]`: prints the sizes of a run of the whole suite. Then measures `conform compare` over copies of this run
 * (default: 30), whose summaries have other ids and days, and `conform diff` of two of them.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Prints the resources of the process when it ends. */
const measure = `process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
  console.error(JSON.stringify({ cpu: (userCPUTime + systemCPUTime) / 1e6, memory: maxRSS / 1024 }))
})`

/** Processor seconds and MiB of a command. Throws if it fails. */
function measuredCall(...options: string[]): { cpu: number; memory: number } {
  const preload = `data:text/javascript,${encodeURIComponent(measure)}`
  const call = [process.execPath, '--import', preload, 'dist/cli/conform.js', ...options]
  // A process inherits the largest memory of the process that starts it, so a shell starts it.
  const { status, stdout, stderr } = spawnSync('sh', ['-c', '"$@"; exit $?', 'sh', ...call], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`conform ${options[0]} exited with ${status}\n${stdout}${stderr}`)
  return JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '') as { cpu: number; memory: number } // the preloaded script
}

const nights = Number(process.argv[2] ?? 30)
const folder = mkdtempSync(join(tmpdir(), 'bench-compare-'))
const day = 24 * 60 * 60 * 1000

measuredCall('run', '--out', join(folder, 'results'))
const run = join(folder, 'results', 'latest')
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
  const { cpu, memory } = measuredCall(...call)
  console.log(`${call[0]}: CPU ${cpu.toFixed(2)} s, ${Math.round(memory)} MiB`)
}
rmSync(folder, { recursive: true })
