import { relative, sep } from 'node:path'

/** Replaces the folders of a path in a message or record. No folder has that name in practice. */
const elsewhere = '.../'

/** The path in records: relative to the current directory if below it, otherwise `.../` and the last part. */
export function pathForOthers(path: string): string {
  const below = relative(process.cwd(), path)
  const parts = below.split(sep)
  const isOutside = parts[0] === '..' || /^(?:[/\\]|[A-Za-z]:)/.test(below)
  return isOutside ? `${elsewhere}${parts.at(-1) ?? ''}` : parts.join('/')
}

/** Whether `pathForOthers` removed the folders. */
export const isElsewhere = (path: string): boolean => path.startsWith(elsewhere)
