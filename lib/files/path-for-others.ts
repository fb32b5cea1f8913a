import { relative, sep } from 'node:path'

/** Replaces folders in messages and records. */
const elsewhere = '.../'

/** Relative below the current directory, otherwise `.../` and the last part. */
export function pathForOthers(path: string): string {
  const below = relative(process.cwd(), path)
  const parts = below.split(sep)
  const isOutside = parts[0] === '..' || /^(?:[/\\]|[A-Za-z]:)/.test(below)
  return isOutside ? `${elsewhere}${parts.at(-1) ?? ''}` : parts.join('/')
}

export const isElsewhere = (path: string): boolean => path.startsWith(elsewhere)
