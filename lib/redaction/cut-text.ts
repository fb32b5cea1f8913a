import { withoutKnownSecrets } from './secrets.js'

/** Characters after the cut that are searched for the end of a secret. */
export const behindCut = 4096
const halfPair = /[\ud800-\udbff]$/

/** Redacts before it cuts, so no part of a secret remains. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text
  const clean = withoutKnownSecrets(text.slice(0, most + behindCut))
  if (clean.length <= most && text.length <= most + behindCut) return clean
  return `${clean.slice(0, most - 1).replace(halfPair, '')}…`
}
