/**
 * Mutants that explorations find. Arguments: requests for each, a part (`3/24`: third of 24 random parts), parts of
 * names. Keeps figures in results/ and skips measured mutants.
 */
import { randomOf } from '../../../explore/generate/random.js'
import { mutants } from '../../../lab/mutants/catalogue.js'
import type { Mutant } from '../../../lab/mutants/mutant.js'
import { explored } from '../../support/records/explored.js'
import { addMeasured, buildOfExplorations, type Measured, measuredBy } from './explored-results.js'
import { rowOf, summaryOf } from './explored-table.js'

const [mostRequests = '24000', part = '1/1', ...names] = process.argv.slice(2)
const [first = 1, of = 1] = part.split('/').map(Number)
const bound = Number(mostRequests)
/** Milliseconds for one mutant. */
const longest = 15 * 60_000

async function measure(mutant: Mutant): Promise<Measured> {
  const { name, rule, where = {}, shows } = mutant
  const { authorization, ...circumstances } = where
  const options = {
    ...circumstances,
    ...(authorization && { authorization: 'hs256:secret-of-the-measurement' }),
    overrides: mutant,
  }
  const { findings, histories } = await explored(options, {
    ...{ seed: name, requests: bound, budget: longest, maxFindings: 1, profile: where.behaviour ?? 'canton-3.5' },
  })
  const [finding] = findings
  const found = finding ?? histories[0]
  const rules = finding && 'rules' in finding.ruling ? finding.ruling.rules : (histories[0]?.rules ?? [])
  return {
    ...{ name, shows, bound, isNamed: rules.includes(rule) },
    ...(found && {
      found: {
        requestsBefore: found.requestsBefore,
        seconds: 'minimizedAfter' in found ? found.minimizedAfter : found.seenAfter,
      },
    }),
    ...(finding && { requests: finding.steps.length }),
    kind: finding?.ruling.kind ?? (found ? 'history' : 'not found'),
  }
}

/** An error counts as not explored. */
async function measureSafely(one: Mutant): Promise<Measured> {
  try {
    return await measure(one)
  } catch (error) {
    const kind = `not explored: ${error instanceof Error ? error.name : 'error'}`
    return { name: one.name, shows: one.shows, bound, kind, isNamed: false }
  }
}

const build = await buildOfExplorations()
const known = names.length > 0 ? [] : await measuredBy(build, bound)
const unmeasured = randomOf('explored mutants')
  .shuffled(mutants)
  .filter((_, index) => index % of === first - 1)
  .filter(({ name }) => names.length === 0 || names.some((one) => name.includes(one)))
  .filter(({ name }) => !known.some((one) => one.name === name))
console.log(`${unmeasured.length} mutants to measure, ${known.length} already measured by build ${build}`)
const measured: Measured[] = []
for (const one of unmeasured) {
  const result = await measureSafely(one)
  measured.push(result)
  console.log(rowOf(result))
  if (names.length > 0) continue
  await addMeasured(build, result)
}
console.log(`\n${summaryOf(names.length > 0 ? measured : await measuredBy(build, bound))}`)
