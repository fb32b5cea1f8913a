import { createRequire } from 'node:module'
import { ArchiveError } from '../decode/archive-error.js'
import { type Payload, readPayload } from './payload.js'

export interface Dar {
  main: Payload
  /** In manifest order, without duplicates. */
  dependencies: readonly Payload[]
}

/**
 * Checks package ids, but does not decode. Throws `ArchiveError`.
 * @example readDar(bytes) // the main package and its dependencies, as bytes
 */
export function readDar(bytes: Uint8Array): Dar {
  const entries = readZip(bytes)
  const text = entries.get(manifestName)
  if (!text) throw new ArchiveError('DAR', `the DAR has no entry ${manifestName}`)
  const manifest = readManifest(Buffer.from(text).toString('utf8'))
  const entry = (name: string): Uint8Array => {
    const found = entries.get(name)
    if (!found) throw new ArchiveError('ENTRY', `the DAR has no entry ${name.slice(0, 300)}`, name)
    return found
  }
  const main = readPayload(entry(manifest.main), manifest.main)
  if (!manifest.isMainListed) throw new ArchiveError('ENTRY', 'the attribute Dalfs of the DAR does not name Main-Dalf')
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
  /** Whether Dalfs contains the main package. */
  isMainListed: boolean
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
  const names = new Set(all.map((name) => name.trim()))
  return { main, isMainListed: names.delete(main), dependencies: [...names].filter((name) => name !== '') }
}

// Loaded with the first archive: it slows the start.
const load = createRequire(import.meta.url)
const fflate = (): typeof import('fflate') => load('fflate')

/** The wallet of the public token standard has 40 packages in 2 MB. */
const mostEntries = 10_000
const mostBytes = 64 * 1024 * 1024

/** Bytes of the archive; bounds what one step can inflate. */
const slice = 32 * 1024

/**
 * Reads the entries in sequence from the first byte and ignores the directory, as the reference 3.5.10. Names are keys
 * only, so a path outside the DAR is harmless.
 */
function readZip(bytes: Uint8Array): ReadonlyMap<string, Uint8Array> {
  if (Buffer.from(bytes.subarray(0, 4)).toString('latin1') !== 'PK\u0003\u0004')
    throw new ArchiveError('DAR', 'the DAR is not a readable zip file: it does not begin with an entry')
  const found = new Map<string, Uint8Array>()
  const { Unzip, UnzipInflate } = fflate()
  let [entries, announced, inflated] = [0, 0, 0]
  const bound = (size: number): void => {
    if (size <= mostBytes) return
    throw new ArchiveError('DAR', `the DAR inflates to more than ${mostBytes} bytes: rejected as a possible zip bomb`)
  }
  const reader = new Unzip((file) => {
    entries += 1
    announced += file.originalSize ?? 0
    if (entries > mostEntries) throw new ArchiveError('DAR', `the DAR has more than ${mostEntries} entries`)
    bound(announced)
    const parts: Uint8Array[] = []
    file.ondata = (error, part, isLast) => {
      if (error) throw error
      inflated += part.length
      bound(inflated)
      parts.push(part)
      if (isLast) found.set(file.name, Buffer.concat(parts))
    }
    file.start()
  })
  reader.register(UnzipInflate)
  try {
    for (let at = 0; at < bytes.length; at += slice) {
      reader.push(bytes.subarray(at, at + slice), at + slice >= bytes.length)
    }
  } catch (error) {
    if (error instanceof ArchiveError) throw error
    throw new ArchiveError('ARCHIVE', `the DAR is not a readable zip file: ${reason(error)}`)
  }
  return found
}

const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error))
