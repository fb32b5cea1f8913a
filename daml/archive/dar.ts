import { ArchiveError } from '../decode/archive-error.js'
import { type Payload, readPayload } from './payload.js'
import { readZip } from './zip.js'

export interface Dar {
  main: Payload
  /** In manifest order, without duplicates. */
  dependencies: readonly Payload[]
}

/** Checks package ids, but does not decode. Throws `ArchiveError`. */
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

const manifestName = 'META-INF/MANIFEST.MF'

interface Manifest {
  main: string
  dependencies: readonly string[]
}

/** A line that begins with a space continues the line before. */
function readManifest(text: string): Manifest {
  const lines = text.replaceAll(/\r\n?/g, '\n').replaceAll('\n ', '').split('\n')
  const attribute = (name: string): string => {
    const start = `${name.toLowerCase()}:`
    const line = lines.find((item) => item.toLowerCase().startsWith(start))
    if (line === undefined) throw new ArchiveError('DAR', `the manifest of the DAR has no attribute ${name}`)
    return line.slice(start.length).trim()
  }
  const main = attribute('Main-Dalf')
  const all = attribute('Dalfs').split(',')
  const format = attribute('Format')
  if (format !== 'daml-lf')
    throw new ArchiveError('DAR', `the manifest of the DAR has the format ${format}, not daml-lf`)
  const dependencies = all.map((name) => name.trim()).filter((name) => name !== main && name !== '')
  return { main, dependencies: [...new Set(dependencies)] }
}
