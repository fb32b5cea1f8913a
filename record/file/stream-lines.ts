/** Lines of a record file, as a stream. */
import { createHash } from 'node:crypto'
import { inputBytes } from '../../lib/files/read-input.js'
import type { TextLine } from './text-lines.js'

/** Bytes; longer lines are skipped to bound the memory. */
const longestLine = 64 * 1024 * 1024

/** Never holds the whole file in memory. Throws `InputError`. */
export async function* streamLines(path: string): AsyncGenerator<TextLine> {
  const digest = createHash('sha256')
  const digestBefore = (): string => digest.copy().digest('hex')
  let number = 0
  let pieces: Buffer[] = []
  let length = 0
  const take = (piece: Buffer): void => {
    length += piece.length
    pieces.push(piece)
    if (length > longestLine) settle()
  }
  const settle = (): void => {
    for (const piece of pieces) digest.update(piece)
    pieces = []
  }
  const line = (ended: boolean): TextLine => {
    number += 1
    const text = length > longestLine ? undefined : Buffer.concat(pieces).toString('utf8')
    return { number, text, ended, digestBefore }
  }
  for await (const chunk of inputBytes(path, 'a run record')) {
    let rest = chunk
    for (let lineFeed = rest.indexOf(0x0a); lineFeed >= 0; lineFeed = rest.indexOf(0x0a)) {
      take(rest.subarray(0, lineFeed))
      yield line(true)
      settle()
      digest.update('\n')
      length = 0
      rest = rest.subarray(lineFeed + 1)
    }
    if (rest.length > 0) take(rest)
  }
  if (length > 0) yield line(false)
}
