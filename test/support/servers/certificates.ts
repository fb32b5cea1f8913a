import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { generate } from 'selfsigned'

export interface Certificates {
  /** It also signs the client's. */
  server: { cert: string; key: string }
  /** PEM files for settings. */
  files: { ca: string; certificate: string; key: string }
}

/** For the loopback address. */
export async function makeCertificates(folder: string): Promise<Certificates> {
  const made = await generate([{ name: 'commonName', value: 'a participant' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    clientCertificate: { keyType: 'ec', cn: 'a conformance run' },
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] },
    ],
  })
  const files = {
    ca: join(folder, 'ca.pem'),
    certificate: join(folder, 'client.pem'),
    key: join(folder, 'client-key.pem'),
  }
  await writeFile(files.ca, made.cert)
  await writeFile(files.certificate, made.clientcert ?? '')
  await writeFile(files.key, made.clientprivate ?? '')
  return { server: { cert: made.cert, key: made.private }, files }
}
