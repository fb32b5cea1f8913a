/**
 * `npm run bench:pages`: `conform compare` over eight participants, and the report of 5,000 rows in Chromium. It runs the
 * suite once for each participant. `CONFORMANCE_BROWSER` is the path of Chromium.
 */
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium } from 'playwright'
import { readRun } from '../../cli/output/read-run.js'
import type { RunRow } from '../../record/types/record.js'
import { htmlReport } from '../../reports/formats/html.js'
import { type BehaviourName, startSimulator } from '../../simulator/simulator.js'
import { mutants } from '../mutants/catalogue.js'
import { findNamed } from '../mutants/mutant.js'
import { variants } from '../variants/catalogue.js'
import { median } from './load.js'
import { inWords, measuredCall } from './measured-call.js'

interface Participant {
  behaviour: BehaviourName
  mutant?: string
  variant?: string
}

const participants: readonly Participant[] = [
  { behaviour: 'canton-3.4' },
  { behaviour: 'canton-3.5' },
  { behaviour: 'canton-3.6' },
  { behaviour: 'interface', variant: 'other-statuses' },
  { behaviour: 'interface', variant: 'problem-details' },
  { behaviour: 'canton-3.5', mutant: 'serials-ignored' },
  { behaviour: 'canton-3.5', mutant: 'commands-one-by-one' },
  { behaviour: 'canton-3.5', mutant: 'server-errors-contract-by-id' },
]

const mostRows = 5000
const folder = await mkdtemp(join(tmpdir(), 'bench-pages-'))

/** Folder of the run. */
async function runOn({ behaviour, mutant, variant }: Participant, name: string): Promise<string> {
  const overrides = {
    ...(mutant && findNamed('mutant', mutant, mutants)),
    ...(variant && findNamed('variant', variant, variants)),
  }
  const simulator = await startSimulator({ behaviour, overrides })
  const out = join(folder, name)
  const options = ['--profile', behaviour, '--allow', 'write', 'topology', 'upload', '--out', out]
  try {
    await measuredCall('run', '--target', simulator.url, ...options)
  } finally {
    await simulator.close()
  }
  return join(out, 'latest')
}

/** The rows repeat under other ids. */
async function measureRows(run: string): Promise<void> {
  const record = await readRun(run)
  const rows = Array.from({ length: mostRows }, (_, index): RunRow => {
    const row = record.rows[index % record.rows.length]
    if (!row) throw new Error(`the run in ${run} has no rows`)
    return { ...row, id: `${row.id}-${index}` }
  })
  const file = join(folder, 'rows.html')
  await writeFile(file, await htmlReport({ ...record, rows }))
  const executablePath = process.env['CONFORMANCE_BROWSER']
  if (!executablePath) throw new Error('Chromium is missing. Set CONFORMANCE_BROWSER to its path.')
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  const times: number[] = []
  for (let round = 0; round < 5; round += 1) {
    const page = await browser.newPage()
    const begin = performance.now()
    await page.goto(`${pathToFileURL(file).href}#/rows`)
    await page.locator('.row-option').first().waitFor()
    times.push(performance.now() - begin)
    await page.close()
  }
  await browser.close()
  console.log(
    `${mostRows} rows: ${await megabytes(file)}, the list appears after ${Math.round(median(times))} ms (median of five)`,
  )
}

const megabytes = async (file: string): Promise<string> => `${((await stat(file)).size / 1e6).toFixed(2)} MB`

const runs: string[] = []
for (const [index, participant] of participants.entries()) runs.push(await runOn(participant, String(index)))
const compared = join(folder, 'compare.html')
console.log(
  `compare of ${runs.length} participants: ${inWords(await measuredCall('compare', ...runs, '--out', compared))}`,
)
console.log(`compare.html: ${await megabytes(compared)}`)
// A run with failures, so that the page has every view.
await measureRows(runs.at(-1) ?? '')
await rm(folder, { recursive: true })
