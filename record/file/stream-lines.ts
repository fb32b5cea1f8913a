import { createHash } from 'node:crypto'
import { pipeline, Readable } from 'node:stream'
import { constants, createGunzip } from 'node:zlib'
import { systemCode } from '../../lib/files/file-errors.js'
import { inputBytes } from '../../lib/files/read-input.js'
import { isCompressed } from './compressed.js'
import { type ReadLimits, usualLimits } from './read-limits.js'
import type { TextLine } from './text-lines.js'

/** Bytes; longer lines are skipped to bound the memory. */
const longestLine = 64 * 1024 * 1024
/** Bytes. */
const longestPiece = 16 * 1024
/** Bytes that one step of the decompression returns. Smaller steps need more time than the decompression itself. */
const outputSize = 256 * 1024

/** Compressed or plain. Damaged compression ends the lines with a problem. Throws `InputError`. */
export async function* streamLines(path: string, { text }: ReadLimits = usualLimits): AsyncGenerator<TextLine> {
  let number = 0
  try {
    for await (const line of linesOf(await decompressed(inputBytes(path, 'a run record'), text))) {
      number = line.number
      yield line
    }
  } catch (error) {
    if (!isDamage(error)) throw error
    const problem = error instanceof TextTooLong ? error.message : `cannot be decompressed: the file is damaged`
    yield { number: number + 1, text: undefined, problem, ended: false, digestBefore: () => '' }
  }
}

class TextTooLong extends Error {
  override readonly name = 'TextTooLong'
}

const isDamage = (error: unknown): boolean => error instanceof TextTooLong || systemCode(error) === 'Z_DATA_ERROR'

async function decompressed(bytes: AsyncGenerator<Buffer>, longestText: number): Promise<AsyncIterable<Buffer>> {
  const first = await bytes.next()
  const all = chained(first, bytes)
  if (first.done || !isCompressed(first.value)) return all
  // An interrupted run has no end of the compression: its text ends at the last flush.
  const gunzip = createGunzip({ finishFlush: constants.Z_SYNC_FLUSH, chunkSize: outputSize })
  pipeline(Readable.from(all), gunzip, () => undefined) // an error ends the iteration, too
  return bounded(gunzip, longestText)
}

async function* chained(first: IteratorResult<Buffer>, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  if (first.done) return
  yield* smallPieces(first.value)
  for await (const chunk of rest) yield* smallPieces(chunk)
}

/** Damage loses the text of one input of the decompression. */
function* smallPieces(chunk: Buffer): Generator<Buffer> {
  for (let start = 0; start < chunk.length; start += longestPiece) yield chunk.subarray(start, start + longestPiece)
}

async function* bounded(text: AsyncIterable<Buffer>, longestText: number): AsyncGenerator<Buffer> {
  let length = 0
  for await (const chunk of text) {
    length += chunk.length
    if (length > longestText)
      throw new TextTooLong(`exceeds ${longestText / 1024 / 1024} MiB, the limit for the text of a compressed record`)
    yield chunk
  }
}

async function* linesOf(bytes: AsyncIterable<Buffer>): AsyncGenerator<TextLine> {
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
  for await (const chunk of bytes) {
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
