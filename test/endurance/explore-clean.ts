/**
 * Explorations in which nothing is to be found: the simulator against itself, and against itself with what the text leaves open used
 * otherwise. Arguments: how many seeds, requests of all kinds for each, `itself` or `variants` (each seed has a tenth of them at once,
 * so that ten have all), and the first seed. Ends with 1 for any finding.
 */
import { variants } from '../../simulator/variants/catalogue.js'
import { explored } from '../support/records/explored.js'

const [seeds = '20', mostRequests = '120000', kind = 'itself', from = '1'] = process.argv.slice(2)

/** Of the variants; each is used together with those of its part. */
const parts = 10

let found = 0
let requests = 0
for (let seed = Number(from); seed < Number(from) + Number(seeds); seed += 1) {
  const isVaried = kind === 'variants'
  const names = variants.map(({ name }) => name).filter((_, index) => index % parts === (seed - 1) % parts)
  const told = await explored(isVaried ? { behaviour: 'interface', variants: names } : {}, {
    seed: `clean-${seed}`,
    requests: Number(mostRequests),
    profile: isVaried ? 'interface' : 'canton-3.5',
  })
  found += told.findings.length + told.histories.length
  requests += told.exchanges
  console.log(
    [
      `seed ${seed}${isVaried ? ` ${names.join(' ')}` : ''}: ${told.exchanges} compared requests in ${told.seconds} s,`,
      `${told.findings.length} findings, ${told.histories.length} impossible histories, ${told.unconfirmed.size} not seen again`,
    ].join(' '),
  )
  for (const { signature, answers } of told.findings)
    console.log(`    ${signature}: ${answers.reference.said} | ${answers.target.said}`)
  for (const signature of told.unconfirmed.keys()) console.log(`    not seen again: ${signature}`)
}
console.log(`${requests} compared requests, ${found} findings`)
process.exitCode = found > 0 ? 1 : 0
