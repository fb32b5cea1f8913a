import { type OutputFile, openOutput } from '../../lib/files/write-output.js'
import type { Outgoing } from '../../lib/outgoing.js'
import { compression } from './compression.js'

/** Calls must not overlap. They reject with `OutputError`. */
export interface RecordFile {
  append(text: Outgoing): Promise<void>
  /** Resolves when the operating system has the text. */
  flush(): Promise<void>
  close(): Promise<void>
}

/** Rejects with `OutputError`. */
export async function openRecordFile(path: string): Promise<RecordFile> {
  const file = await openOutput(path)
  return path.endsWith('.br') ? new CompressedFile(file) : new PlainFile(file)
}

class PlainFile implements RecordFile {
  readonly #file: OutputFile

  constructor(file: OutputFile) {
    this.#file = file
  }

  append(text: Outgoing): Promise<void> {
    return this.#file.append(text)
  }

  flush(): Promise<void> {
    return Promise.resolve()
  }

  close(): Promise<void> {
    return this.#file.close()
  }
}

class CompressedFile implements RecordFile {
  readonly #file: OutputFile
  readonly #compression = compression()
  #compressed: Buffer[] = []

  constructor(file: OutputFile) {
    this.#file = file
    this.#compression.on('data', (bytes: Buffer) => this.#compressed.push(bytes))
  }

  async append(text: Outgoing): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#compression.write(text, 'utf8', (error) => (error ? reject(error) : resolve()))
    })
    await this.#copy()
  }

  async flush(): Promise<void> {
    await new Promise<void>((resolve) => this.#compression.flush(resolve))
    await this.#copy()
  }

  async close(): Promise<void> {
    try {
      await new Promise<void>((resolve, reject) => {
        this.#compression.once('end', resolve).once('error', reject).end()
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
