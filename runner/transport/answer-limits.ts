/** A parsed value uses about a hundred times the memory of its bytes. */

import { setFlagsFromString } from 'node:v8'

/** As long as the longest request that the reference participant 3.5.10 accepts. */
export const maxAnswerBytes = 8 * 1024 * 1024

/** A longer answer limits the growth of the heap. */
export const longAnswerBytes = 2 * 1024 * 1024

/** Rows expect a few thousand at most. */
export const maxAnswerValues = 200_000

const [quote, backslash] = [0x22, 0x5c]
/** A value or a name can follow each of `,` `:` `[` `{`. */
const openers = new Set([0x2c, 0x3a, 0x5b, 0x7b])

/** Linear, without parsing. */
export function hasTooManyValues(body: Buffer): boolean {
  if (body.length <= maxAnswerValues) return false
  let values = 0
  let isInString = false
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at] ?? 0
    if (isInString && byte === backslash) at += 1
    else if (byte === quote) isInString = !isInString
    else if (!isInString && openers.has(byte)) values += 1
  }
  return values > maxAnswerValues
}

/** Percent. By default V8 lets the heap grow fourfold. */
const growth = 50
/** Node versions that know the flag (`npm run test:nodes`). Other versions would print a warning. */
const versions: readonly string[] = ['20', '22', '24', '26']
let isLimited = false

/** Costs a tenth of the time, and saves hundreds of megabytes. */
export function limitHeapGrowth(): void {
  if (isLimited) return
  isLimited = true
  if (versions.includes(process.versions.node.split('.')[0] ?? ''))
    setFlagsFromString(`--heap-growing-percent=${growth}`)
}
