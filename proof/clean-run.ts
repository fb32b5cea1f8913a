/** A run against a participant that conforms and is otherwise than others: whatever fails is a false alarm. */
import { createHash } from 'node:crypto'
import { shuffle } from '../runner/plan/plan.js'
import { performAt } from '../runner/run/environment.js'
import { allVariants, type Variant } from '../simulator/simulator.js'
import type { Originals } from './snapshots.js'

export interface CleanRun {
  seed: string
  profile: string
  variants: string[]
  rows: number
  /** Rows that tell something against the participant, or could not be judged, and why. */
  alarms: { row: string; verdict: string; reason: string }[]
}

const against = new Set(['fail', 'warning', 'error', 'blocked'])

/** Every second run is judged by the text, with variants drawn by the seed; the others as the reference, with what it shows. */
export async function cleanRun(originals: Originals, seed: string): Promise<CleanRun> {
  const isByText = drawn(seed, 'profile') % 2 === 0
  const profile = isByText ? 'interface' : 'canton-3.5'
  const all = await allVariants()
  const variants = all.filter((one) => (isByText || one.reference) && drawn(seed, one.name) < chanceOf(one))
  const names = variants.map(({ name }) => name)
  // Provisioned with all of them: ids are held against each other, and what is declined shows there first.
  const { environment, copy } = await originals.in(isByText ? { behaviour: 'interface' } : {}, profile, names)
  const { plan } = environment.provisioned
  const rows = shuffle(plan.rows, seed)
  const shuffled = { ...environment, provisioned: { ...environment.provisioned, plan: { ...plan, rows } } }
  const { url, close } = await copy({ variants: names })
  const run: CleanRun = { seed, profile, variants: names, rows: 0, alarms: [] }
  try {
    await performAt(
      shuffled,
      url,
      () => true,
      ({ id, verdict, reason = '' }) => {
        run.rows += 1
        if (against.has(verdict)) run.alarms.push({ row: id, verdict, reason: reason.slice(0, 300) })
      },
    )
  } finally {
    await close()
  }
  return run
}

/** Of 1000, by the seed. */
const drawn = (seed: string, name: string): number =>
  createHash('sha256').update(`${seed} ${name}`).digest().readUInt32BE() % 1000

/** Of those with which hardly a row is left that can be judged there are few. */
const chanceOf = ({ isSparing }: Variant): number => (isSparing ? 30 : 200)

/** With so many runs of which none fails, the share of runs that would is below this, with 95 % confidence. */
export const upperBound = (runs: number): number => 1 - 0.05 ** (1 / runs)
