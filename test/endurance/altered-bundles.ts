/** Alters single bytes of a certified bundle: `node dist/test/endurance/altered-bundles.js [COUNT] [SEED]` */
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { alterPlaces } from '../support/bundles/altered-bundle.js'
import { keyFiles, verifyOptions } from '../support/bundles/certified-bundle.js'
import { conform } from '../support/processes/conform-process.js'
import { drawFrom } from '../support/servers/hostile-answers.js'
import { writeLookupSuite } from '../support/suites/lookup-suite.js'

const [count = '1000', seed = 'altered'] = process.argv.slice(2)
const folder = await mkdtemp(join(tmpdir(), 'altered-'))
await mkdir(join(folder, 'suite'))
const suite = await writeLookupSuite(join(folder, 'suite'))
const { privatePath, publicKey } = await keyFiles(folder, 'signer')
const out = join(folder, 'results')
const certified = await conform(
  ...['certify', '--suite', suite, '--out', out, '--signer', 'Somebody', '--key', privatePath],
)
if (certified.code !== 0) throw new Error(certified.stdout + certified.stderr)
const bundle = join(folder, 'bundle')
await cp(join(out, 'latest'), bundle, { recursive: true, dereference: true })
const options = await verifyOptions(suite, publicKey)
const { refused, noted, missed } = await alterPlaces(bundle, Number(count), drawFrom(seed), options)
for (const place of missed) console.log(`! ${place}`)
await rm(folder, { recursive: true })
console.log(
  `${count} places, seed ${seed}: ${refused} refused, ${noted} reported as without effect, ${missed.length} missed`,
)
process.exitCode = missed.length > 0 ? 1 : 0
