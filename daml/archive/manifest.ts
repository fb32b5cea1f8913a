import { ArchiveError } from '../decode/archive-error.js'

export const manifestName = 'META-INF/MANIFEST.MF'

export interface Manifest {
  /** Entry of the main package. */
  main: string
  /** Entries of the other packages. */
  dependencies: readonly string[]
}

/** Reads the manifest of a DAR: lines `Name: value`, where a line that begins with a space goes on with the one before. Throws `ArchiveError`. */
export function readManifest(text: string): Manifest {
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
