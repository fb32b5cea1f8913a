/** The hash chain of record lines. A removed, added or altered line is detected unless all later lines are rewritten. */

const tail = /,"chain":"([0-9a-f]{64})"\}$/

/** Hashed text of a link: the link before (empty for the first line), a line feed, and the line without its link. */
export const linkText = (before: string, line: string): string => `${before}\n${line}`

/** Replaces the last brace of a line: adds the link as last member. */
export const linkEnd = (link: string): string => `,"chain":"${link}"}`

/** The link is undefined if the line has none. */
export function splitLink(line: string): { line: string; link: string | undefined } {
  const link = tail.exec(line.slice(-80))?.[1]
  return link === undefined ? { line, link } : { line: `${line.slice(0, -linkEnd(link).length)}}`, link }
}
