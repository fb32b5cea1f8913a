import { withoutKnownSecrets } from './secrets.js'

/** Characters behind the cut in which a secret that begins before it has to end to be found. */
export const behindCut = 4096
const halfPair = /[\ud800-\udbff]$/

/** At most so many characters of a text that may repeat a secret. It is cleaned before it is cut, so no part of a secret remains. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text
  const clean = withoutKnownSecrets(text.slice(0, most + behindCut))
  if (clean.length <= most && text.length <= most + behindCut) return clean
  return `${clean.slice(0, most - 1).replace(halfPair, '')}…`
}
