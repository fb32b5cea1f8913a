/** Alters a certified run and signs it again: `node dist/test/endurance/re-signed-bundles.js` */
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { verifyBundle } from '../../certificate/verify/verify-bundle.js'
import { certifiedReports } from '../../cli/output/certified-reports.js'
import { suitePath } from '../../cli/tool/tool.js'
import { RecordError } from '../../record/file/record-error.js'
import { certifyAnew, keyFiles, rewriteRecord, verifyOptions } from '../support/bundles/certified-bundle.js'
import { type Alteration, headerAlterations } from '../support/bundles/re-signed.js'
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
const none = (): Promise<[]> => Promise.resolve([])

/** Empty if a finding names the alteration; otherwise all findings. */
async function otherFindings({ change, named, ...recertified }: Alteration): Promise<string[]> {
  const bundle = join(folder, 'bundle')
  await cp(join(out, 'latest'), bundle, { recursive: true, dereference: true })
  if (change) await rewriteRecord(bundle, change)
  // Reports are written again only if the alteration needs them.
  const reports = recertified.alter ? certifiedReports : none
  try {
    await certifyAnew(bundle, privatePath, { digest: options.toolDigest, ...recertified, reports })
  } catch (error) {
    // Each reader rejects the record.
    if (!(error instanceof RecordError)) throw error
    return named.test(error.message) ? [] : [error.message]
  }
  const { findings } = await verifyBundle(bundle, { ...options, reports })
  await rm(bundle, { recursive: true })
  const isNamed = findings.some(({ kind, what }) => (kind === 'altered' || kind === 'unproven') && named.test(what))
  return isNamed ? [] : ['no finding names it', ...findings.map(({ what }) => what)]
}

const untouched = await verifyBundle(join(out, 'latest'), options)
const missed = untouched.findings.some(({ kind }) => kind !== 'stated') ? ['nothing at all'] : []
const alterations = [...headerAlterations, ...rowAlterations]
for (const alteration of alterations) {
  const [first, ...found] = await otherFindings(alteration)
  if (first) missed.push([`${alteration.what}: ${first}`, ...found].join('\n  '))
}
for (const what of missed) console.log(`! ${what}`)
await rm(folder, { recursive: true })
console.log(`${alterations.length} bundles altered and signed again: ${missed.length} not named`)
process.exitCode = missed.length > 0 ? 1 : 0
