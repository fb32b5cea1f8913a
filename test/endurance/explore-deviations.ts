/**
 * What explorations find of participants that break one rule each, as a table. Arguments: seconds for each of them, which part of
 * them (`3/24`: the third of 24, every 24th one), and parts of the names of those to be tried.
 */
import { deviations } from '../../simulator/deviations/catalogue.js'
import type { Deviation } from '../../simulator/deviations/deviation.js'
import { explored } from '../explored.js'

const [seconds = '60', part = '1/1', ...names] = process.argv.slice(2)
const [first = 1, of = 1] = part.split('/').map(Number)

interface Measured {
  name: string
  shows: string
  /** Seconds from the very start. */
  found: number | undefined
  requests: number | undefined
  kind: string
}

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN

async function measure({ name, where = {}, shows }: Deviation): Promise<Measured> {
  const { authorization, ...circumstances } = where
  const options = {
    ...circumstances,
    ...(authorization && { authorization: 'hs256:secret-of-the-measurement' }),
    deviation: name,
  }
  const begun = performance.now()
  let found: number | undefined
  const { findings, histories } = await explored(options, {
    ...{ seed: name, budget: Number(seconds) * 1000, most: 1, profile: where.behaviour ?? 'canton-3.5' },
    told: ({ kind }) => {
      if (kind === 'finding' || kind === 'history') found ??= Math.round((performance.now() - begun) / 100) / 10
    },
  })
  const [finding] = findings
  return {
    name,
    shows,
    found,
    requests: finding?.turns.length,
    kind: finding?.ruling.kind ?? (histories.length > 0 ? 'history' : 'not found'),
  }
}

const asked = deviations
  .filter((_, index) => index % of === first - 1)
  .filter(({ name }) => names.length === 0 || names.some((one) => name.includes(one)))
const measured: Measured[] = []
console.log('| deviation | shows in | found after | requests | told as |\n|---|---|---|---|---|')
for (const one of asked) {
  const { name, shows, found, requests, kind } = await measure(one)
  measured.push({ name, shows, found, requests, kind })
  console.log(`| ${name} | ${shows} | ${found === undefined ? '-' : `${found} s`} | ${requests ?? '-'} | ${kind} |`)
}
const found = measured.filter((one) => one.found !== undefined)
const share = Math.round((100 * found.length) / measured.length)
const time = median(found.map((one) => one.found ?? 0))
const length = median(found.map(({ requests }) => requests ?? 0))
console.log(
  `\n${found.length} of ${measured.length} found (${share} %); in the median after ${time} s, by ${length} requests`,
)
