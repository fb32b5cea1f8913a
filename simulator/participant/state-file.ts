import { InputError } from '../../lib/files/file-errors.js'
import { inputBytes } from '../../lib/files/read-input.js'
import { beginningOfLines } from './state-document.js'

/** One JSON text, or lines. */
export type SavedState = string | AsyncIterable<string>

/** Bytes. */
const longestText = 256 * 1024 * 1024

/** Rejects with `InputError`, also while lines are read. */
export async function readStateFile(file: string): Promise<SavedState> {
  const pieces = inputBytes(file, 'a saved state')
  let first = Buffer.alloc(0)
  while (first.length < beginningOfLines.length) {
    const next = await pieces.next()
    if (next.done) break
    first = Buffer.concat([first, next.value])
  }
  const isInLines = first.toString('utf8', 0, beginningOfLines.length) === beginningOfLines
  return isInLines ? linesIn(withFirst(first, pieces)) : textIn(file, withFirst(first, pieces))
}

async function* withFirst(first: Buffer, others: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first
  yield* others
}

async function textIn(file: string, pieces: AsyncIterable<Buffer>): Promise<string> {
  const read: Buffer[] = []
  let length = 0
  for await (const piece of pieces) {
    length += piece.length
    if (length > longestText) throw new InputError(file, 'it is larger than 256 MiB, the limit for a state in one text')
    read.push(piece)
  }
  return Buffer.concat(read).toString('utf8')
}

const lineFeed = 0x0a

/** UTF-8, without line feeds. Throws the errors of `pieces`. */
async function* linesIn(pieces: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let begun: Buffer[] = []
  for await (const piece of pieces) {
    let from = 0
    for (let end = piece.indexOf(lineFeed); end >= 0; end = piece.indexOf(lineFeed, from)) {
      yield Buffer.concat([...begun, piece.subarray(from, end)]).toString('utf8')
      begun = []
      from = end + 1
    }
    if (from < piece.length) begun.push(piece.subarray(from))
  }
  if (begun.length > 0) yield Buffer.concat(begun).toString('utf8')
}
