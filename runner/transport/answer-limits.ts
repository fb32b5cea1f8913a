/** How large an answer may be that is judged: its bytes cost little memory, each of its values a hundred times as much. */

/**
 * Bytes of the longest answer that is read: as many as the longest request has that the reference participant 3.5.10 takes. Lists of
 * that length have more values than are judged.
 */
export const maxAnswerBytes = 8 * 1024 * 1024

/** Bytes of an answer that is told apart as a long one: those of an ordinary run have some thousand, and a few a million. */
export const longAnswerBytes = 2 * 1024 * 1024

/** Values and names of the richest one, if it is JSON: rows ask for no more than some thousand. */
export const maxAnswerValues = 200_000

const [quote, backslash] = [0x22, 0x5c]
/** Behind each of `,` `:` `[` `{` a value or a name may begin. */
const openers = new Set([0x2c, 0x3a, 0x5b, 0x7b])

/** Whether a body has more values than are judged, should it be JSON. Linear, and without reading it as JSON. */
export function hasTooManyValues(body: Buffer): boolean {
  if (body.length <= maxAnswerValues) return false
  let values = 0
  let isText = false
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at] ?? 0
    if (isText && byte === backslash) at += 1
    else if (byte === quote) isText = !isText
    else if (!isText && openers.has(byte)) values += 1
  }
  return values > maxAnswerValues
}
