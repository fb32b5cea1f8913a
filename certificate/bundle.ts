import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { filesBelow } from '../lib/files/paths.js'
import { inputBytes } from '../lib/files/read-input.js'
import { writeOutput } from '../lib/files/write-output.js'
import type { RunRecord } from '../record/types/record.js'
import { claimsOf } from './claims.js'
import { envelopeText, type Signer, seal } from './envelope.js'
import { type Certificate, type Subject, statementOf } from './statement.js'

export const certificateName = 'certificate.json'
export const suiteFolder = 'suite'

/** One for each configuration. */
export const isRecordName = (name: string): boolean => /^run(?:-\d+)?\.ndjson(?:\.br|\.gz)?$/.test(name)

export type BundleFile = readonly [name: string, text: string]

/** Sorted, with `/`, without the certificate. Rejects with `InputError`. */
export async function bundleFiles(folder: string): Promise<string[]> {
  return (await filesBelow(folder)).map(({ name }) => name).filter((name) => name !== certificateName)
}

const subjectsIn = async (folder: string): Promise<Subject[]> => {
  const subjects: Subject[] = []
  // One open file at a time: a bundle has more files than some processes may open.
  for (const name of await bundleFiles(folder))
    subjects.push({ name, digest: { sha256: await fileDigest(join(folder, name)) } })
  return subjects
}

/** SHA-256 (hex) of a file. Rejects with `InputError`. */
export async function fileDigest(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const bytes of inputBytes(path, 'a file of a bundle')) hash.update(bytes)
  return hash.digest('hex')
}

/**
 * Rejects with `SigningError`, `InputError` or `OutputError`.
 * Signs the digests of all files in `folder`, which contains the record. Returns the path of the certificate.
 * @example
 * const by = { name: 'Example Ltd', tool: { name: 'conform', version: '0.3.0', digest: '9f86…' }, issued: new Date() }
 * await writeCertificate('bundle', record, by, signer) // 'bundle/certificate.json'
 */
export async function writeCertificate(
  folder: string,
  record: RunRecord,
  { name, tool, issued }: { name: string; tool: Certificate['tool']; issued: Date },
  signer: Signer,
): Promise<string> {
  const key = signer.publicKey.export({ type: 'spki', format: 'pem' }).toString()
  const certificate = { issued: issued.toISOString(), signer: { name, key }, tool, claims: claimsOf(record) }
  const statement = statementOf(await subjectsIn(folder), certificate)
  const path = join(folder, certificateName)
  await writeOutput(path, envelopeText(await seal(JSON.stringify(statement), signer)))
  return path
}
