import { relative, sep } from 'node:path'

/** Replaces the folders of a path in a message or record. No folder has that name in practice. */
const elsewhere = '.../'

/**
 * The path as records tell it, which others read: relative to the current directory where it is below that, otherwise its last part
 * behind `.../`. Where files lie on the machine of a run is no help elsewhere.
 */
export function pathForOthers(path: string): string {
  const below = relative(process.cwd(), path)
  const parts = below.split(sep)
  const isOutside = parts[0] === '..' || /^(?:[/\\]|[A-Za-z]:)/.test(below)
  return isOutside ? `${elsewhere}${parts.at(-1) ?? ''}` : parts.join('/')
}

/** Whether `pathForOthers` has left out where it is. */
export const isElsewhere = (path: string): boolean => path.startsWith(elsewhere)
