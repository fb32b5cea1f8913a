/** Searches false alarms with random permitted variants of a conforming participant. */

import { createHash } from 'node:crypto'
import { reasonText } from '../reports/wording/reason-words.js'
import { performAt } from './environment.js'
import { combineOverrides } from './find-overrides.js'
import { type Snapshots, shuffled } from './snapshots.js'
import { variants } from './variants/catalogue.js'
import type { Variant } from './variants/variant.js'

export interface ShuffledRun {
  seed: string
  profile: string
  variants: string[]
  rows: number
  /** Failed rows, and rows that could not be judged. */
  alarms: { row: string; verdict: string; reason: string }[]
}

const alarming = new Set(['fail', 'warning', 'error', 'blocked'])

/** Every second run is judged by the text, the others by facts of the reference. */
export async function findFalseAlarms(snapshots: Snapshots, seed: string): Promise<ShuffledRun> {
  const isByText = drawn(seed, 'profile') % 2 === 0
  const profile = isByText ? 'interface' : 'canton-3.5'
  const possible = variants.filter((one) => isByText || one.reference)
  const chosen = possible.filter((one) => drawn(seed, one.name) < chanceOf(one))
  // With all variants: rows compare ids with provisioned ids, and variants may decline fixtures.
  const { environment, start } = await snapshots.of(isByText ? { behaviour: 'interface' } : {}, profile, chosen)
  const { url, close } = await start(combineOverrides(chosen))
  const run: ShuffledRun = { seed, profile, variants: chosen.map(({ name }) => name), rows: 0, alarms: [] }
  try {
    await performAt(
      shuffled(environment, seed),
      url,
      () => true,
      ({ id, verdict, reason }) => {
        run.rows += 1
        if (alarming.has(verdict))
          run.alarms.push({ row: id, verdict, reason: reason ? reasonText(reason).slice(0, 300) : '' })
      },
    )
  } finally {
    await close()
  }
  return run
}

const drawn = (seed: string, name: string): number =>
  createHash('sha256').update(`${seed} ${name}`).digest().readUInt32BE() % 1000

/** Of 1000. Sparing variants leave few rows to judge, so they are rare. */
const chanceOf = ({ isSparing }: Variant): number => (isSparing ? 30 : 200)

/** Without a failure in these runs, the share of failing runs is below the bound with 95 % confidence. */
export const upperBound = (runs: number): number => 1 - 0.05 ** (1 / runs)
