/** Writes, alters and certifies bundles of a small suite. */
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Test } from 'tap'
import { writeCertificate } from '../../../certificate/bundle.js'
import { claimsOf } from '../../../certificate/claims.js'
import { altered, type BundleFinding } from '../../../certificate/finding.js'
import { keyFile } from '../../../certificate/signers.js'
import { checkRecord } from '../../../certificate/verify/check-record.js'
import type { Verification, VerifyOptions } from '../../../certificate/verify/verify-bundle.js'
import { certifiedReports, verifyOptionsOf } from '../../../cli/output/certified-reports.js'
import { readRun, recordOf } from '../../../cli/output/read-run.js'
import { toolDigest, toolIdentity } from '../../../cli/tool/tool.js'
import { readRecord } from '../../../record/file/read-record.js'
import { RecordError } from '../../../record/file/record-error.js'
import { openRecord } from '../../../record/file/write-record.js'
import type { RunFooter, RunRecord } from '../../../record/types/record.js'

export interface KeyPairFiles {
  privatePath: string
  publicPath: string
  publicKey: KeyObject
}

/** Ed25519, or ECDSA on the curve. */
export async function keyFiles(
  folder: string,
  name: string,
  curve?: string,
  passphrase?: string,
): Promise<KeyPairFiles> {
  const { privateKey, publicKey } =
    curve === undefined ? generateKeyPairSync('ed25519') : generateKeyPairSync('ec', { namedCurve: curve })
  const [privatePath, publicPath] = [join(folder, `${name}.pem`), join(folder, `${name}.pub.pem`)]
  const locked = passphrase === undefined ? {} : { cipher: 'aes-256-cbc', passphrase }
  await writeFile(privatePath, privateKey.export({ type: 'pkcs8', format: 'pem', ...locked }))
  await writeFile(publicPath, publicKey.export({ type: 'spki', format: 'pem' }))
  return { privatePath, publicPath, publicKey }
}

/** With valid counts and digests. */
export async function rewriteRecord(folder: string, change: (record: RunRecord) => RunRecord): Promise<void> {
  await writeRecord(await recordOf(folder), change(await readRun(folder)))
}

async function writeRecord(file: string, { header, exchanges = [], rows, oracles, footer }: RunRecord): Promise<void> {
  if (!footer) throw new Error('the record has no footer')
  const writer = await openRecord(file, header)
  await Promise.all(exchanges.map((one) => writer.exchange(one)))
  await Promise.all(rows.map((row) => writer.row(row)))
  if (oracles) await writer.oracles(oracles)
  const { type: _, executed: __, counts: ___, complete: ____, conforming: _____, digest: ______, ...summary } = footer
  await writer.close(summary)
}

export const verifyOptions = (suite: string, key?: KeyObject): Promise<VerifyOptions> => verifyOptionsOf({ suite, key })

/** `alter` changes the folder before. */
export async function certifyAnew(
  folder: string,
  privatePath: string,
  { digest, issued = new Date(), alter, reports = certifiedReports }: Recertified = {},
): Promise<void> {
  const tool = { ...toolIdentity(), digest: digest ?? (await toolDigest()) }
  const [record, name] = [await readRun(folder), 'A. Signer']
  for (const [file, text] of await reports(record, { name, issued: issued.toISOString() }))
    await writeFile(join(folder, file), text)
  await alter?.(folder)
  await writeCertificate(folder, record, { name, tool, issued }, await keyFile(privatePath))
}

export interface Recertified {
  /** Of the program in the statement. */
  digest?: string | undefined
  issued?: Date
  alter?(folder: string): Promise<void>
  reports?: VerifyOptions['reports']
}

/**
 * The findings of `verify` after the signer altered the record or the statement and signed it. The files of the bundle stay, so it is quicker than
 * `certifyAnew` with `verifyBundle`; reports are not compared.
 */
export async function findingsAfter(
  bundle: string,
  { change = (record) => record, footer, ...stated }: AlteredRecord,
  options: VerifyOptions,
): Promise<BundleFinding[]> {
  const file = join(bundle, '..', 'altered.ndjson')
  await writeRecord(file, change(await readRun(bundle)))
  if (footer) {
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n')
    await writeFile(file, [...lines.slice(0, -1), JSON.stringify(footer(JSON.parse(lines.at(-1) ?? '')))].join('\n'))
  }
  return findingsOf(bundle, file, options, stated)
}

/** Of the bundle with another record, signed again; reports are not compared. */
export async function findingsOf(
  bundle: string,
  recordFile: string,
  options: VerifyOptions,
  { digest, issued = new Date(), tool = toolIdentity() }: StatedFacts = {},
): Promise<BundleFinding[]> {
  try {
    const record = await readRecord(recordFile)
    const certificate = {
      issued: issued.toISOString(),
      signer: { name: 'A. Signer', key: '' },
      tool: { ...tool, digest: digest ?? options.toolDigest },
      claims: claimsOf(record),
    }
    const records = (): Promise<RunRecord[]> => Promise.resolve([record])
    const reports = (): Promise<[]> => Promise.resolve([])
    const { suite, findings } = await checkRecord(bundle, certificate, { ...options, records, reports, isSound: true })
    return [...suite, ...findings]
  } catch (error) {
    if (error instanceof RecordError) return [altered(error.message)]
    throw error
  }
}

interface StatedFacts extends Pick<Recertified, 'digest' | 'issued'> {
  tool?: { name: string; version: string }
}

export interface AlteredRecord extends StatedFacts {
  change?(record: RunRecord): RunRecord
  /** After it was written, because the writer derives it. */
  footer?(footer: RunFooter): RunFooter
}

export function hasFinding(t: Test, { findings }: Verification, kind: string, what: string | RegExp): void {
  t.ok(
    findings.some((one) => one.kind === kind && (typeof what === 'string' ? one.what === what : what.test(one.what))),
    `${kind}: ${what}`,
  )
}
