/**
 * What explorations find of participants that break one rule each, 60 s for each of them: a table. Arguments: seconds for each, and parts
 * of the names of those to be tried.
 */
import { enforcedRules } from '../../simulator/base/checks.js'
import { explored } from '../explored.js'

const [seconds = '60', ...parts] = process.argv.slice(2)

interface Measured {
  rule: string
  seen: number | undefined
  requests: number | undefined
  kind: string
}

const enforcedWith: Readonly<Record<string, object>> = {
  'VET-CHANGES-REQUIRED': { behaviour: 'interface' },
  'VET-CHANGES-NOT-EMPTY': { behaviour: 'interface' },
  'SAW-TAPS-LIMIT': { behaviour: 'interface' },
  'VET-SYNCHRONIZER-AMBIGUOUS': { synchronizers: 2 },
  'VET-DEPENDENCIES': { protocolVersion: 34 },
  'AUTH-ACT-AS': { authorization: 'hs256:secret-of-the-measurement' },
}

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN

async function measure(rule: string): Promise<Measured> {
  const options = { ...enforcedWith[rule], without: [rule] }
  const profile = 'behaviour' in options ? 'interface' : 'canton-3.5'
  const { findings } = await explored(options, { seed: rule, budget: Number(seconds) * 1000, most: 1, profile })
  const [finding] = findings
  return { rule, seen: finding?.seenAfter, requests: finding?.turns.length, kind: finding?.ruling.kind ?? 'not found' }
}

const rules = enforcedRules().filter((rule) => parts.length === 0 || parts.some((part) => rule.includes(part)))
const measured: Measured[] = []
console.log('| left out | found after | requests | told as |\n|---|---|---|---|')
for (const rule of rules) {
  const one = await measure(rule)
  measured.push(one)
  console.log(
    `| ${one.rule} | ${one.seen === undefined ? '-' : `${one.seen} s`} | ${one.requests ?? '-'} | ${one.kind} |`,
  )
}
const found = measured.filter(({ seen }) => seen !== undefined)
const share = Math.round((100 * found.length) / measured.length)
const times = median(found.map(({ seen }) => seen ?? 0))
const lengths = median(found.map(({ requests }) => requests ?? 0))
console.log(`\n${found.length} of ${measured.length} found (${share} %); median ${times} s, ${lengths} requests`)
