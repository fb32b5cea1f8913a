import { createHash } from 'node:crypto'
import { linkEnd, linkText, splitLink } from '../../record/file/chain.js'

/** Lines of a record that hang together again, whatever was done to them: as somebody would leave them who wants nothing to show. */
export function linkedLines(lines: readonly string[]): string[] {
  let before = ''
  return lines.map((whole) => {
    const { line, link } = splitLink(whole)
    if (link === undefined) return whole
    before = createHash('sha256').update(linkText(before, line)).digest('hex')
    return line.slice(0, -1) + linkEnd(before)
  })
}
