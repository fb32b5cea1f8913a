/**
 * Mutants that explorations find. Arguments: requests for each mutant, number of mutants, parts of names. Prints a table
 * and a summary. A hash chooses the mutants, so two builds measure the same ones.
 */
import { createHash } from 'node:crypto'
import { mutants } from '../../../lab/mutants/catalogue.js'
import type { Mutant } from '../../../lab/mutants/mutant.js'
import { explored } from '../../support/records/explored.js'

const [requests = '600', count = '72', ...names] = process.argv.slice(2)
/** Milliseconds for one mutant. */
const longest = 60_000

interface Measured {
  name: string
  kind: string
  /** Requests before the finding, including those that shrunk it. */
  requestsBefore?: number
  /** Requests of the shrunk finding. */
  length?: number
}

async function measure(mutant: Mutant): Promise<Measured> {
  const { name, where = {} } = mutant
  const { authorization, ...circumstances } = where
  const options = {
    ...circumstances,
    ...(authorization && { authorization: 'hs256:secret-of-the-measurement' }),
    overrides: mutant,
  }
  const { findings, histories } = await explored(options, {
    seed: `m-${name}`,
    requests: Number(requests),
    budget: longest,
    maxFindings: 1,
    profile: where.behaviour ?? 'canton-3.5',
  })
  const [finding] = findings
  if (finding)
    return {
      name,
      kind: finding.ruling.kind,
      requestsBefore: finding.requestsBefore,
      length: finding.steps.length,
    }
  const [history] = histories
  return history ? { name, kind: 'history', requestsBefore: history.requestsBefore } : { name, kind: 'not found' }
}

const placeOf = (name: string): string => createHash('sha256').update(`sample ${name}`).digest('hex')

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN

const chosen = mutants
  .toSorted((a, b) => (placeOf(a.name) < placeOf(b.name) ? -1 : 1))
  .filter(({ name }) => names.length === 0 || names.some((one) => name.includes(one)))
  .slice(0, Number(count))
const measured: Measured[] = []
for (const mutant of chosen) {
  const one = await measure(mutant)
  measured.push(one)
  console.log(`| ${one.name} | ${one.kind} | ${one.requestsBefore ?? '-'} | ${one.length ?? '-'} |`)
}
const found = measured.filter(({ requestsBefore }) => requestsBefore !== undefined)
const medians = [
  found.flatMap(({ requestsBefore }) => requestsBefore ?? []),
  found.flatMap(({ length }) => length ?? []),
]
  .map((numbers) => median(numbers))
  .join(' requests before the finding, ')
console.log(`\nFound ${found.length} of ${measured.length} mutants. Medians: ${medians} requests in the finding.`)
