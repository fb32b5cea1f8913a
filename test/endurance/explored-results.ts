/** What explorations of mutants came to so far: a line for each, so that several can measure side by side and go on later. */
import { createHash } from 'node:crypto'
import { appendFile, mkdir, readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface Measured {
  name: string
  shows: string
  /** Requests with which it was explored at most. */
  bound: number
  /** Requests of all kinds, and seconds on the machine of the measurement, until the finding was told. */
  found?: { asked: number; seconds: number }
  /** Of the finding. */
  requests?: number
  kind: string
  /** The rule that the mutant breaks is among those that are told. */
  isNamed: boolean
}

const results = fileURLToPath(new URL('../../../results/explored-mutants.ndjson', import.meta.url))
const explore = fileURLToPath(new URL('../../explore/', import.meta.url))

/** The same as long as explorations are made by the same code. */
export async function buildOfExplorations(): Promise<string> {
  const names = (await readdir(explore, { recursive: true })).filter((name) => name.endsWith('.js')).toSorted()
  const hash = createHash('sha256')
  for (const name of names) hash.update(name).update(await readFile(join(explore, name)))
  return hash.digest('hex').slice(0, 12)
}

/** Those of this build and this bound; the last one of each mutant. */
export async function measuredBy(build: string, bound: number): Promise<Measured[]> {
  const text = await readFile(results, 'utf8').catch(() => '')
  const lines = text.split('\n').filter((line) => line !== '')
  const all = lines.map((line) => JSON.parse(line) as Measured & { build: string }) // written by addMeasured
  const own = all.filter((one) => one.build === build && one.bound === bound)
  return [...new Map(own.map((one) => [one.name, one])).values()]
}

/** A line is written at once, whole. */
export async function addMeasured(build: string, measured: Measured): Promise<void> {
  await mkdir(dirname(results), { recursive: true })
  await appendFile(results, `${JSON.stringify({ build, ...measured })}\n`)
}
