/** Bounds the sizes that the directory states, before it inflates anything. */
import { createRequire } from 'node:module'
import { ArchiveError } from '../decode/archive-error.js'

// Loaded with the first archive: it slows the start.
const load = createRequire(import.meta.url)
const fflate = (): typeof import('fflate') => load('fflate')

/** The wallet of the public token standard has 40 packages in 2 MB. */
const mostEntries = 10_000
const mostBytes = 64 * 1024 * 1024

export function readZip(bytes: Uint8Array): ReadonlyMap<string, Uint8Array> {
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
