/** How long a state takes to its file and back. */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fill } from './many-contracts.js'
import { asked, lookUp, prepareGround } from './sample-requests.js'
import { startSimulator } from './server-process.js'

export interface SavedState {
  contracts: number
  mebibytes: number
  /** Seconds from the signal to the end. */
  ended: number
  /** Seconds from the start to the first answer, which shows a contract. */
  started: number
}

/** Fills a simulator that keeps its state in a file, ends it, and starts another from there. */
export async function savedState(contracts: number): Promise<SavedState> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-state-'))
  const file = join(folder, 'state')
  const secondsSince = (began: number): number => (performance.now() - began) / 1000
  try {
    const first = await startSimulator('--data', file, '--save')
    const ground = await prepareGround(first.url)
    await fill(first.url, ground, 0, contracts)
    const stopped = performance.now()
    await first.stop()
    const ended = secondsSince(stopped)
    const second = await startSimulator('--data', file)
    const { path, body } = lookUp(ground)
    await asked(second.url, path, JSON.parse(body))
    const started = secondsSince(second.startedAt)
    await second.stop()
    return { contracts, mebibytes: statSync(file).size / 1024 / 1024, ended, started }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
