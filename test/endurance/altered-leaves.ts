/** Alters leaves of a certified record and signs it again: `node dist/test/endurance/altered-leaves.js [COUNT] [SEED]` */
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { recordOf } from '../../cli/output/read-run.js'
import { alterLeaves } from '../support/bundles/altered-leaves.js'
import { keyFiles, verifyOptions } from '../support/bundles/certified-bundle.js'
import { conform } from '../support/processes/conform-process.js'
import { drawFrom } from '../support/servers/hostile-answers.js'
import { writeSubmissionSuite } from '../support/suites/submission-suite.js'

const [count = '500', seed = 'leaves'] = process.argv.slice(2)
const folder = await mkdtemp(join(tmpdir(), 'leaves-'))
await mkdir(join(folder, 'suite'))
const suite = await writeSubmissionSuite(join(folder, 'suite'))
const { privatePath, publicKey } = await keyFiles(folder, 'signer')
const out = join(folder, 'results')
const certified = await conform(
  ...['certify', '--suite', suite, '--out', out, '--protocol-version', '35', '--signer', 'S', '--key', privatePath],
)
if (certified.code !== 0) throw new Error(certified.stdout + certified.stderr)
const bundle = join(folder, 'bundle')
await cp(join(out, 'latest'), bundle, { recursive: true, dereference: true })
const options = await verifyOptions(suite, publicKey)
const { named, free, missed } = await alterLeaves(
  bundle,
  await recordOf(bundle),
  Number(count),
  drawFrom(seed),
  options,
)
for (const place of new Set(missed)) console.log(`! ${place}`)
await rm(folder, { recursive: true })
console.log(`${count} leaves, seed ${seed}: ${named} named, ${free.length} listed as free, ${missed.length} missed`)
process.exitCode = missed.length > 0 ? 1 : 0
