/**
 * Explorations without an expected finding: the simulator against itself, or with permitted variants. Arguments: number of seeds,
 * requests for each seed, `itself` or `variants`, and the first seed. Each seed has a tenth of all variants. Ends with 1 for a finding.
 */
import { variants } from '../../simulator/variants/catalogue.js'
import { explored } from '../support/records/explored.js'

const [seeds = '20', mostRequests = '120000', kind = 'itself', from = '1'] = process.argv.slice(2)

/** Parts of the variants, one for each seed. */
const parts = 10

let found = 0
let requests = 0
for (let seed = Number(from); seed < Number(from) + Number(seeds); seed += 1) {
  const isVaried = kind === 'variants'
  const names = variants.map(({ name }) => name).filter((_, index) => index % parts === (seed - 1) % parts)
  const result = await explored(isVaried ? { behaviour: 'interface', variants: names } : {}, {
    seed: `clean-${seed}`,
    requests: Number(mostRequests),
    profile: isVaried ? 'interface' : 'canton-3.5',
  })
  found += result.findings.length + result.histories.length
  requests += result.exchanges
  console.log(
    [
      `seed ${seed}${isVaried ? ` ${names.join(' ')}` : ''}: ${result.exchanges} compared requests in ${result.seconds} s,`,
      `${result.findings.length} findings, ${result.histories.length} non-linearizable histories, ${result.unconfirmed.size} unconfirmed differences`,
    ].join(' '),
  )
  for (const { signature, answers } of result.findings)
    console.log(`    ${signature}: ${answers.reference.said} | ${answers.target.said}`)
  for (const signature of result.unconfirmed.keys()) console.log(`    unconfirmed: ${signature}`)
}
console.log(`${requests} compared requests, ${found} findings`)
process.exitCode = found > 0 ? 1 : 0
