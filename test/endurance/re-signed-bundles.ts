/** Alters a certified run and signs it again: `node dist/test/endurance/re-signed-bundles.js [PATTERN]` */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { verifyBundle } from '../../certificate/verify/verify-bundle.js'
import { suitePath } from '../../cli/tool/tool.js'
import { keyFiles, verifyOptions } from '../support/bundles/certified-bundle.js'
import { headerAlterations, otherFindings } from '../support/bundles/re-signed.js'
import { evidenceAlterations } from '../support/bundles/re-signed-evidence.js'
import { rowAlterations } from '../support/bundles/re-signed-rows.js'
import { conform } from '../support/processes/conform-process.js'

const folder = await mkdtemp(join(tmpdir(), 're-signed-'))
const { privatePath, publicKey } = await keyFiles(folder, 'signer')
const out = join(folder, 'results')
const certified = await conform(
  ...['certify', '--protocol-version', '35', '--out', out, '--signer', 'Somebody', '--key', privatePath],
)
if (certified.code !== 0) throw new Error(certified.stdout + certified.stderr)
const options = await verifyOptions(suitePath(undefined), publicKey)
const bundle = join(out, 'latest')

const untouched = await verifyBundle(bundle, options)
const missed = untouched.findings.some(({ kind }) => kind !== 'stated') ? ['nothing at all'] : []
const pattern = new RegExp(process.argv[2] ?? '')
const alterations = [...headerAlterations, ...rowAlterations, ...evidenceAlterations].filter(({ what }) =>
  pattern.test(what),
)
for (const alteration of alterations) {
  const found = await otherFindings(bundle, alteration, options, privatePath)
  if (found) missed.push([`${alteration.what}: no finding names it`, ...found.map(({ what }) => what)].join('\n  '))
}
for (const what of missed) console.log(`! ${what}`)
await rm(folder, { recursive: true })
console.log(`${alterations.length} bundles altered and signed again: ${missed.length} not named`)
process.exitCode = missed.length > 0 || alterations.length === 0 ? 1 : 0
