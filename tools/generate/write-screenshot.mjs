/**
 * `npm run screenshot`: writes docs/report.png, the picture in README: the failures of a simulator that behaves as the interface text,
 * judged by the profile of the reference participant.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium } from 'playwright'
import { findBrowser } from '../tests/find-browser.mjs'

const program = 'dist/cli/conform.js'
const port = '7591'
const folder = mkdtempSync(join(tmpdir(), 'screenshot-'))

const simulator = spawn(process.execPath, [program, 'simulate', '--behaviour', 'interface', '--port', port], {
  stdio: ['ignore', 'pipe', 'ignore'],
})
try {
  // It prints its address when it is ready.
  await once(simulator.stdout, 'data')
  const target = ['--target', `http://127.0.0.1:${port}`, '--profile', 'canton-3.5', '--seed', 'screenshot']
  const run = spawnSync(process.execPath, [program, 'run', ...target, '--out', folder], { encoding: 'utf8' })
  if (run.status !== 1) throw new Error(`the run ended with ${run.status} instead of 1: ${run.stderr}`)
  const executablePath = findBrowser()
  if (executablePath === undefined) throw new Error('Chromium is missing. Run: node tools/tests/ensure-test-tools.mjs')
  // Chromium has no sandbox for root.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const browser = await chromium.launch({ executablePath, args })
  const page = await browser.newPage({ viewport: { width: 1040, height: 700 }, colorScheme: 'light' })
  await page.goto(`${pathToFileURL(join(folder, 'latest', 'report.html'))}#/failures`)
  await page.locator('article.cause').first().waitFor()
  await page.screenshot({ path: 'docs/report.png' })
  await browser.close()
} finally {
  simulator.kill()
  rmSync(folder, { recursive: true })
}
