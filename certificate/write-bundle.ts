/** Writes the certificate of a bundle. */
import { join } from 'node:path'
import { writeOutput } from '../lib/files/write-output.js'
import type { RunRecord } from '../record/types/record.js'
import { certificateName, subjectsIn } from './bundle-files.js'
import { claimsOf } from './claims.js'
import { envelopeText, type Signer, seal } from './envelope.js'
import { type Certificate, statementOf } from './statement.js'

/** Signs a statement about all files of the folder. Rejects with `SigningError`, `InputError` or `OutputError`. */
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
