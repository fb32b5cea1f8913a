import { ArchiveError } from '../decode/archive-error.js'
import { manifestName, readManifest } from './manifest.js'
import { type Payload, readPayload } from './payload.js'
import { readZip } from './zip.js'

export interface Dar {
  main: Payload
  /** In the order of the manifest, each once. */
  dependencies: readonly Payload[]
}

/** Reads a DAR; the packages in it are found to be what their ids say, but not decoded. Throws `ArchiveError`. */
export function readDar(bytes: Uint8Array): Dar {
  const entries = readZip(bytes)
  const entry = (name: string): Uint8Array => {
    const found = entries.get(name)
    if (!found) throw new ArchiveError('DAR', `the DAR has no entry ${name.slice(0, 300)}`)
    return found
  }
  const manifest = readManifest(Buffer.from(entry(manifestName)).toString('utf8'))
  const main = readPayload(entry(manifest.main), manifest.main)
  const known = new Set([main.packageId])
  const dependencies = manifest.dependencies
    .map((name) => readPayload(entry(name), name))
    .filter(({ packageId }) => {
      const isNew = !known.has(packageId)
      known.add(packageId)
      return isNew
    })
  return { main, dependencies }
}
