/**
 * Explorations without an expected finding. Arguments: seeds, requests for each, sides, first seed. Sides: a behaviour
 * against itself, `BEHAVIOUR/PROFILE` against another one with known differences, or `variants`.
 */
import { combineOverrides } from '../../../lab/find-overrides.js'
import { variants } from '../../../lab/variants/catalogue.js'
import { behaviourNames } from '../../../simulator/base/behaviour.js'
import { explored } from '../../support/records/explored.js'

const [seeds = '20', mostRequests = '120000', sides = 'canton-3.5', from = '1'] = process.argv.slice(2)

const parts = 10
const isVaried = sides === 'variants'
const [behaviourName, profile = behaviourName] = isVaried ? ['interface'] : sides.split('/')
const behaviour = behaviourNames.find((name) => name === behaviourName)
if (!behaviour || profile === undefined) throw new Error(`${sides}: not one of ${behaviourNames.join(', ')}, variants`)

let found = 0
let requests = 0
for (let seed = Number(from); seed < Number(from) + Number(seeds); seed += 1) {
  const chosen = variants.filter((_, index) => index % parts === (seed - 1) % parts)
  const result = await explored(
    { behaviour, ...(isVaried && { overrides: combineOverrides(chosen) }) },
    { seed: `clean-${seed}`, requests: Number(mostRequests), profile },
  )
  found += result.findings.length + result.histories.length
  requests += result.exchanges
  console.log(
    [
      `seed ${seed} ${isVaried ? chosen.map(({ name }) => name).join(' ') : sides}: ${result.exchanges} compared requests in ${result.seconds} s,`,
      `${result.findings.length} findings, ${result.histories.length} non-linearizable histories, ${result.unconfirmed.size} unconfirmed differences`,
    ].join(' '),
  )
  for (const { signature, answers } of result.findings)
    console.log(`    ${signature}: ${answers.reference.said} | ${answers.target.said}`)
  for (const { points } of result.divergences) console.log(`    known: ${points.join(' ')}`)
  for (const signature of result.unconfirmed.keys()) console.log(`    unconfirmed: ${signature}`)
}
console.log(`${requests} compared requests, ${found} findings`)
process.exitCode = found > 0 ? 1 : 0
