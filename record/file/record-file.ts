import { dirname } from 'node:path'
import { constants, createGzip } from 'node:zlib'
import { makeFolder } from '../../lib/files/paths.js'
import { type OutputFile, openOutput } from '../../lib/files/write-output.js'
import type { Outgoing } from '../../lib/outgoing.js'

/** Calls must not overlap. */
export interface RecordFile {
  /** Resolves when the operating system has the text. */
  append(text: Outgoing): Promise<void>
  close(): Promise<void>
}

/** Rejects with `OutputError`. */
export async function openRecordFile(path: string): Promise<RecordFile> {
  await makeFolder(dirname(path))
  const file = await openOutput(path)
  return path.endsWith('.gz') ? new CompressedFile(file) : file
}

/** Every append ends with a flush, so a killed run keeps what it wrote. */
class CompressedFile implements RecordFile {
  readonly #file: OutputFile
  readonly #gzip = createGzip({ level: constants.Z_BEST_COMPRESSION, memLevel: constants.Z_MAX_MEMLEVEL })
  #compressed: Buffer[] = []

  constructor(file: OutputFile) {
    this.#file = file
    this.#gzip.on('data', (bytes: Buffer) => this.#compressed.push(bytes))
  }

  async append(text: Outgoing): Promise<void> {
    this.#gzip.write(text, 'utf8')
    await new Promise<void>((resolve) => this.#gzip.flush(constants.Z_SYNC_FLUSH, resolve))
    await this.#copy()
  }

  async close(): Promise<void> {
    try {
      await new Promise<void>((resolve, reject) => {
        this.#gzip.once('end', resolve).once('error', reject).end()
      })
      await this.#copy()
    } finally {
      await this.#file.close()
    }
  }

  #copy(): Promise<void> {
    return this.#file.copy(Buffer.concat(this.#compressed.splice(0)))
  }
}
