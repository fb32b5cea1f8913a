import { createHash } from 'node:crypto'
import { pipeline, Readable } from 'node:stream'
import { constants, createBrotliDecompress, createGunzip } from 'node:zlib'
import { systemCode } from '../../lib/files/file-errors.js'
import { inputBytes } from '../../lib/files/read-input.js'

/** They bound the memory and the time for records that would exhaust the reader. */
export interface ReadLimits {
  /** Bytes of the text of a compressed record. */
  text: number
  /** Bytes of a line; longer lines are skipped. */
  line: number
  lines: number
  /** Objects and arrays around a value. */
  depth: number
}

/** A run of the whole suite writes 70 MB in 2,300 lines, and a row contains at most 8 MiB of bodies. */
export const usualLimits: ReadLimits = {
  text: 512 * 1024 * 1024,
  line: 64 * 1024 * 1024,
  lines: 100_000,
  depth: 100,
}

export interface TextLine {
  number: number
  /** Undefined if the line cannot be read. */
  text: string | undefined
  /** Why it cannot be read, as a predicate. */
  problem?: string
  ended: boolean
  /** SHA-256 (hex) of all earlier bytes. Call it before the next line is read. */
  digestBefore(): string
}

/** Bytes. */
const longestPiece = 16 * 1024
/**
 * The lines of a record, compressed or plain. Invalid UTF-8 becomes U+FFFD. Damaged compression ends the lines with a
 * problem. Throws `InputError`.
 */
export async function* streamLines(path: string, limits: ReadLimits = usualLimits): AsyncGenerator<TextLine> {
  let number = 0
  try {
    for await (const line of linesOf(await textOf(inputBytes(path, 'a run record'), limits), limits)) {
      number = line.number
      if (number > limits.lines) {
        yield {
          ...line,
          text: undefined,
          problem: `is behind ${limits.lines} others, the limit of lines; the rest is not read`,
        }
        return
      }
      yield line
    }
  } catch (error) {
    if (!isDamage(error)) throw error
    const damage = number === 0 ? 'is neither JSON nor valid Brotli' : 'cannot be decompressed: the file is damaged'
    const problem = error instanceof TextTooLong ? error.message : damage
    yield { number: number + 1, text: undefined, problem, ended: false, digestBefore: () => '' }
  }
}

class TextTooLong extends Error {
  override readonly name = 'TextTooLong'
}

const isDamage = (error: unknown): boolean =>
  error instanceof TextTooLong || /^(?:Z_DATA_ERROR$|ERR__)/.test(systemCode(error))

/** The first character of a plain record, and the first byte of gzip. */
const [brace, gzip] = [0x7b, 0x1f]
/** Bytes that one step of the decompression returns. Smaller steps need more time than the decompression itself. */
const chunkSize = 256 * 1024

async function textOf(bytes: AsyncGenerator<Buffer>, { text }: ReadLimits): Promise<AsyncIterable<Buffer>> {
  const first = await bytes.next()
  const all = pieces(first, bytes)
  if (first.done || first.value[0] === brace) return all
  // Records up to format 3 use gzip; a message names the version that reads them. The text of an interrupted run ends at its last flush.
  const decompressed =
    first.value[0] === gzip
      ? createGunzip({ finishFlush: constants.Z_SYNC_FLUSH, chunkSize })
      : createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH, chunkSize })
  pipeline(Readable.from(all), decompressed, () => undefined) // an error ends the iteration, too
  return bounded(decompressed, text)
}

/** Damage loses the text of one input of the decompression, so inputs are small. */
async function* pieces(first: IteratorResult<Buffer>, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  try {
    for (let next = first; !next.done; next = await rest.next()) {
      const { value } = next
      for (let start = 0; start < value.length; start += longestPiece) yield value.subarray(start, start + longestPiece)
    }
  } finally {
    // Closes the file of a record that is damaged or not read to its end.
    await rest.return(undefined)
  }
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

async function* linesOf(bytes: AsyncIterable<Buffer>, { line: longestLine }: ReadLimits): AsyncGenerator<TextLine> {
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
    const [first, ...others] = pieces
    const whole = first && others.length === 0 ? first : Buffer.concat(pieces)
    const text = length > longestLine ? undefined : whole.toString('utf8')
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
