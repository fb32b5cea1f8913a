import { createHash } from 'node:crypto'
import { linkEnd, linkText, splitLink } from '../../record/file/chain.js'

/** Rewrites the hash chain of altered record lines, as a careful attacker does. */
export function linkedLines(lines: readonly string[]): string[] {
  let before = ''
  return lines.map((whole) => {
    const { line, link } = splitLink(whole)
    before = createHash('sha256').update(linkText(before, line)).digest('hex')
    return link === undefined ? whole : line.slice(0, -1) + linkEnd(before)
  })
}
