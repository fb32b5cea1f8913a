/**
 * Lines of a record hang together: each ends with a hash over itself and the one before it. Whoever takes a line out, puts one in or
 * alters one has to write all lines behind it anew, or it shows at that very place.
 */

const tail = /,"chain":"([0-9a-f]{64})"\}$/

/** The link of a line: SHA-256 (hex) over the link before it - empty for the first line -, a line feed, and the line as JSON without its link. */
export const linkText = (before: string, line: string): string => `${before}\n${line}`

/** What stands in place of the last brace of a line: its link as the last member. */
export const linkEnd = (link: string): string => `,"chain":"${link}"}`

/** A line without its link, and the link; that is undefined where the line ends with none. */
export function splitLink(line: string): { line: string; link: string | undefined } {
  const link = tail.exec(line.slice(-80))?.[1]
  return link === undefined ? { line, link } : { line: `${line.slice(0, -linkEnd(link).length)}}`, link }
}
