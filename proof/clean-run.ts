/** Searches false alarms: runs the suite against a conforming participant with random permitted variants. */
import { createHash } from 'node:crypto'
import { shuffle } from '../runner/plan/plan.js'
import { performAt } from '../runner/run/environment.js'
import { allVariants, type Variant } from '../simulator/simulator.js'
import type { Snapshots } from './snapshots.js'

export interface CleanRun {
  seed: string
  profile: string
  variants: string[]
  rows: number
  /** Rows whose verdict is against the participant, or that could not be judged. */
  alarms: { row: string; verdict: string; reason: string }[]
}

const alarming = new Set(['fail', 'warning', 'error', 'blocked'])

/** Every second run is judged by the text, the others by the facts of the reference. The variants fit the profile. */
export async function cleanRun(snapshots: Snapshots, seed: string): Promise<CleanRun> {
  const isByText = drawn(seed, 'profile') % 2 === 0
  const profile = isByText ? 'interface' : 'canton-3.5'
  const possible = (await allVariants()).filter((one) => isByText || one.reference)
  const variants = possible.filter((one) => drawn(seed, one.name) < chanceOf(one)).map(({ name }) => name)
  // Provisioned with all variants: rows compare later ids with provisioned ids, and variants may decline fixtures.
  const { environment, start } = await snapshots.of(isByText ? { behaviour: 'interface' } : {}, profile, variants)
  const { plan } = environment.provisioned
  const rows = shuffle(plan.rows, seed)
  const shuffled = { ...environment, provisioned: { ...environment.provisioned, plan: { ...plan, rows } } }
  const { url, close } = await start({ variants })
  const run: CleanRun = { seed, profile, variants, rows: 0, alarms: [] }
  try {
    await performAt(
      shuffled,
      url,
      () => true,
      ({ id, verdict, reason = '' }) => {
        run.rows += 1
        if (alarming.has(verdict)) run.alarms.push({ row: id, verdict, reason: reason.slice(0, 300) })
      },
    )
  } finally {
    await close()
  }
  return run
}

/** A number below 1000, from the seed. */
const drawn = (seed: string, name: string): number =>
  createHash('sha256').update(`${seed} ${name}`).digest().readUInt32BE() % 1000

/** Of 1000. Sparing variants leave few rows to judge, so they are rare. */
const chanceOf = ({ isSparing }: Variant): number => (isSparing ? 30 : 200)

/** With 95 % confidence, the share of failing runs is below this bound after so many runs without a failure. */
export const upperBound = (runs: number): number => 1 - 0.05 ** (1 / runs)
