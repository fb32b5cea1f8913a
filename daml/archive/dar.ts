import { createRequire } from 'node:module'
import { ArchiveError } from '../decode/archive-error.js'
import { type Payload, readPayload } from './payload.js'

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

// Loaded with the first archive: it slows the start.
const load = createRequire(import.meta.url)
const fflate = (): typeof import('fflate') => load('fflate')

/** The wallet of the public token standard has 40 packages in 2 MB. */
const mostEntries = 10_000
const mostBytes = 64 * 1024 * 1024

/** Bounds the sizes that the directory states, before it inflates anything. */
function readZip(bytes: Uint8Array): ReadonlyMap<string, Uint8Array> {
  let entries = 0
  let announced = 0
  try {
    const found = fflate().unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        entries += 1
        announced += originalSize
        if (entries > mostEntries) throw new ArchiveError('DAR', `the DAR has more than ${mostEntries} entries`)
        if (announced > mostBytes) {
          throw new ArchiveError(
            'DAR',
            `the DAR inflates to more than ${mostBytes} bytes: rejected as a possible zip bomb`,
          )
        }
        if (isOutside(name))
          throw new ArchiveError('DAR', `the DAR has the entry ${JSON.stringify(name)}, which is outside the DAR`)
        return !name.endsWith('/')
      },
    })
    return new Map(Object.entries(found))
  } catch (error) {
    if (error instanceof ArchiveError) throw error
    throw new ArchiveError('DAR', `the DAR is not a readable zip file: ${reason(error)}`)
  }
}

const isOutside = (name: string): boolean => name.startsWith('/') || name.split(/[/\\]/).includes('..')

const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error))
