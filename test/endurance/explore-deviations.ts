/**
 * What explorations find of participants that break one rule each. Arguments: how many requests each of them is explored with, which
 * part of them (`3/24`: the third of 24 random ones), and parts of the names of those to be tried. What was measured goes
 * into docs/explored-deviations.md, in place of what stood there of the same deviation; with names it is only printed.
 */
import { randomOf } from '../../explore/generate/random.js'
import { allDeviations, type Deviation } from '../../simulator/simulator.js'
import { explored } from '../explored.js'
import { type Measured, measuredIn, rowOf, summaryOf, writeMeasured } from './explored-table.js'

const deviations = await allDeviations()
const [most = '24000', part = '1/1', ...names] = process.argv.slice(2)
const [first = 1, of = 1] = part.split('/').map(Number)

async function measure({ name, where = {}, shows }: Deviation): Promise<Measured> {
  const { authorization, ...circumstances } = where
  const options = {
    ...circumstances,
    ...(authorization && { authorization: 'hs256:secret-of-the-measurement' }),
    deviation: name,
  }
  const bound = Number(most)
  const { findings, histories } = await explored(options, {
    ...{ seed: name, requests: bound, most: 1, profile: where.behaviour ?? 'canton-3.5' },
  })
  const found = findings[0] ?? histories[0]
  return {
    ...{ name, shows, bound },
    found: found && { asked: found.askedBefore, seconds: 'shrunkAfter' in found ? found.shrunkAfter : found.seenAfter },
    requests: findings[0]?.turns.length,
    kind: findings[0]?.ruling.kind ?? (histories[0] ? 'history' : 'not found'),
  }
}

const asked = randomOf('explored deviations')
  .shuffled(deviations)
  .filter((_, index) => index % of === first - 1)
  .filter(({ name }) => names.length === 0 || names.some((one) => name.includes(one)))
const measured: Measured[] = []
for (const one of asked) {
  measured.push(await measure(one))
  console.log(rowOf(measured.at(-1) as Measured)) // just pushed
  if (names.length === 0)
    await writeMeasured(
      [...(await measuredIn()).filter((old) => old.name !== one.name), ...measured.slice(-1)],
      deviations.length,
    )
}
console.log(`\n${summaryOf(measured)}`)
