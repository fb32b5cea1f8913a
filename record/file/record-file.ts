import { createHash } from 'node:crypto'
import { constants, createBrotliCompress } from 'node:zlib'
import type { OutputFile } from '../../lib/files/write-output.js'
import type { Outgoing } from '../../lib/outgoing.js'

/** Most text of a row occurs in earlier rows. A larger window finds little more, and the reader needs its memory. */
const windowBits = 24
/** Lower ones write 1.5 MB for a run of the whole suite instead of 1.3 MB, higher ones need more time. */
const quality = 7

const brotli = {
  params: {
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_LGWIN]: windowBits,
  },
}

/** Compressed or plain. Calls must not overlap. They reject with the errors of the file. */
export class RecordFile {
  readonly #file: OutputFile
  readonly #compression: ReturnType<typeof createBrotliCompress> | undefined
  readonly #compressed: Buffer[] = []
  readonly #digest = createHash('sha256')

  constructor(file: OutputFile, isCompressed: boolean) {
    this.#file = file
    if (isCompressed) this.#compression = createBrotliCompress(brotli)
    this.#compression?.on('data', (bytes: Buffer) => this.#compressed.push(bytes))
  }

  /** SHA-256 (hex) of the text so far. */
  get digest(): string {
    return this.#digest.copy().digest('hex')
  }

  async append(text: Outgoing): Promise<void> {
    const compression = this.#compression
    const bytes = Buffer.from(text, 'utf8')
    this.#digest.update(bytes)
    if (!compression) return this.#file.copy(bytes)
    await new Promise<void>((resolve, reject) => {
      compression.write(bytes, (error) => (error ? reject(error) : resolve()))
    })
    await this.#copy()
  }

  /** Resolves when the operating system has the text. */
  async flush(): Promise<void> {
    await new Promise<void>((resolve) => (this.#compression ? this.#compression.flush(resolve) : resolve()))
    await this.#copy()
  }

  async close(): Promise<void> {
    const compression = this.#compression
    try {
      if (compression)
        await new Promise<void>((resolve, reject) => compression.once('end', resolve).once('error', reject).end())
      await this.#copy()
    } finally {
      await this.#file.close()
    }
  }

  #copy(): Promise<void> {
    return this.#file.copy(Buffer.concat(this.#compressed.splice(0)))
  }
}
