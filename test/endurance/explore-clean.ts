/**
 * Explorations in which nothing is to be found: the simulator against itself, and against itself with what the text leaves open used
 * otherwise. Arguments: how many seeds, requests for each, and `variations` for the
 * second kind. Ends with 1 for any finding.
 */
import { variations } from '../../simulator/variations/catalogue.js'
import { explored } from '../explored.js'

const [seeds = '20', most = '120000', kind = 'itself', from = '1'] = process.argv.slice(2)

let found = 0
let requests = 0
for (let seed = Number(from); seed < Number(from) + Number(seeds); seed += 1) {
  const isVaried = kind === 'variations'
  const one = variations[(seed - 1) % variations.length]
  const options = isVaried && one ? { behaviour: 'interface' as const, variations: [one.name] } : {}
  const told = await explored(options, {
    seed: `clean-${seed}`,
    requests: Number(most),
    profile: isVaried ? 'interface' : 'canton-3.5',
  })
  found += told.findings.length
  requests += told.exchanges
  const name = isVaried ? ` ${one?.name}` : ''
  console.log(
    `seed ${seed}${name}: ${told.exchanges} requests, ${told.findings.length} findings, ${told.unconfirmed.size} not seen again`,
  )
  for (const { signature, answers } of told.findings)
    console.log(`    ${signature}: ${answers.model.said} | ${answers.target.said}`)
}
console.log(`${requests} requests, ${found} findings`)
process.exitCode = found > 0 ? 1 : 0
