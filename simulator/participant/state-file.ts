/** Saved states in files. */
import { open, rename, rm } from 'node:fs/promises'
import { beginningOfLines } from './state-document.js'

/** What a participant can start from: one text, or the lines of it. */
export type SavedState = string | AsyncIterable<string>

/** What is in the file. Rejects as reading files does. */
export async function readStateFile(file: string): Promise<SavedState> {
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(
      Buffer.alloc(beginningOfLines.length),
      0,
      beginningOfLines.length,
      0,
    )
    if (buffer.toString('utf8', 0, bytesRead) !== beginningOfLines) return await handle.readFile('utf8')
  } finally {
    await handle.close()
  }
  return linesOf(file)
}

async function* linesOf(file: string): AsyncGenerator<string> {
  const handle = await open(file)
  try {
    yield* handle.readLines({ autoClose: false, encoding: 'utf8' })
  } finally {
    await handle.close()
  }
}

/** Characters that are written at once. */
const pieceLength = 1024 * 1024

/** Writes the lines. Whoever reads the file, whenever, finds the old ones or the new ones. */
export async function replaceFile(file: string, lines: Iterable<string>): Promise<void> {
  const other = `${file}.${process.pid}.new`
  try {
    const handle = await open(other, 'w')
    try {
      let piece = ''
      for (const line of lines) {
        piece += `${line}\n`
        if (piece.length < pieceLength) continue
        await handle.write(piece)
        piece = ''
      }
      await handle.write(piece)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(other, file)
  } catch (error) {
    await rm(other, { force: true })
    throw error
  }
}
