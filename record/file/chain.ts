/**
 * The hash chain of record lines shows removed, added and altered lines unless all later lines are rewritten. Every
 * line has a link. Header, footer and the last line of each write contain theirs; others do not, because links do not
 * compress.
 */

const tail = /,"chain":"([0-9a-f]{64})"\}$/

/** The previous link (empty for the first line), a line feed, and the line without its link. */
export const linkText = (before: string, line: string): string => `${before}\n${line}`

export const linkEnd = (link: string): string => `,"chain":"${link}"}`

/** `link` is undefined if the line has none. */
export function splitLink(line: string): { line: string; link: string | undefined } {
  const link = tail.exec(line.slice(-80))?.[1]
  return link === undefined ? { line, link } : { line: `${line.slice(0, -linkEnd(link).length)}}`, link }
}

export const mayLackLink = (line: string): boolean => /^\{"type":"(?:plan|shared|row|oracles)",/.test(line)
