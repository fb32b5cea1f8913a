/** One line for each measured mutant, so several processes can measure and continue. */
import { createHash } from 'node:crypto'
import { appendFile, mkdir, readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface Measured {
  name: string
  shows: string
  bound: number
  found?: { requestsBefore: number; seconds: number }
  requests?: number
  kind: string
  /** The finding names the rule of the mutant. */
  isNamed: boolean
}

const results = fileURLToPath(new URL('../../../../results/explored-mutants.ndjson', import.meta.url))
const explore = fileURLToPath(new URL('../../../explore/', import.meta.url))

/** Equal for equal code of explorations. */
export async function buildOfExplorations(): Promise<string> {
  const names = (await readdir(explore, { recursive: true })).filter((name) => name.endsWith('.js')).toSorted()
  const hash = createHash('sha256')
  for (const name of names) hash.update(name).update(await readFile(join(explore, name)))
  return hash.digest('hex').slice(0, 12)
}

export async function measuredBy(build: string, bound: number): Promise<Measured[]> {
  const text = await readFile(results, 'utf8').catch(() => '')
  const lines = text.split('\n').filter((line) => line !== '')
  const all = lines.map((line) => JSON.parse(line) as Measured & { build: string }) // written by addMeasured
  const own = all.filter((one) => one.build === build && one.bound === bound)
  return [...new Map(own.map((one) => [one.name, one])).values()]
}

/** In one write. */
export async function addMeasured(build: string, measured: Measured): Promise<void> {
  await mkdir(dirname(results), { recursive: true })
  await appendFile(results, `${JSON.stringify({ build, ...measured })}\n`)
}
