import { useState } from 'preact/hooks'
import { isCompressed } from '../../../record/file/compressed.js'
import { parseRecord } from '../../../record/file/parse-record.js'
import { isFooter, isHeader, isOracles, isPlan, isRow, isShared } from '../../../record/file/record-checks.js'
import { splitLines } from '../../../record/file/text-lines.js'
import { type LoadedRun, runOfRecord } from '../state/loaded-run.js'

export function ChooseRun({ setBaseline }: { setBaseline: (run: LoadedRun) => void }) {
  const [problem, setProblem] = useState<string>()
  const take = async (file: File | undefined) => {
    if (!file) return
    try {
      setBaseline(await readChosenFile(file))
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    }
  }
  return (
    <section
      class="card choose"
      aria-labelledby="choose"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        void take(event.dataTransfer?.files[0])
      }}
    >
      <h2 id="choose">Compare with an earlier run</h2>
      <p>
        Select the <code>run.ndjson.gz</code> of an earlier run, or drop it here. Only this page reads the file.
      </p>
      <p>
        <label>
          Run record{' '}
          <input
            type="file"
            accept=".ndjson,.gz"
            onChange={({ currentTarget: input }) => {
              void take(input.files?.[0])
              // Otherwise a second selection of the same file is no change event.
              input.value = ''
            }}
          />
        </label>
      </p>
      {problem !== undefined && (
        <p class="note" role="alert">
          ! {problem}
        </p>
      )}
      <p class="muted">
        To create a report of both runs: <code>conform diff BEFORE NOW --format html --out FOLDER</code>
      </p>
    </section>
  )
}

/** Rejects with `RecordError`. */
async function readChosenFile(file: File): Promise<LoadedRun> {
  const lines = splitLines(await textOf(file), sha256)
  const encoder = new TextEncoder()
  const checks = { isHeader, isShared, isPlan, isRow, isOracles, isFooter }
  const tools = { ...checks, sha256: (text: string) => sha256(encoder.encode(text)) }
  return runOfRecord(await parseRecord(file.name, lines, tools))
}

/** Bytes of text; a run writes less. */
const longestText = 512 * 1024 * 1024

/** Compressed or plain; of an interrupted run, the text up to the last flush. */
async function textOf(file: File): Promise<Uint8Array> {
  const first = new Uint8Array(await file.slice(0, 2).arrayBuffer())
  if (!isCompressed(first)) return new Uint8Array(await file.arrayBuffer())
  const chunks: Uint8Array<ArrayBuffer>[] = []
  const reader = file.stream().pipeThrough(new DecompressionStream('gzip')).getReader()
  try {
    for (let length = 0; length <= longestText; ) {
      const { done, value } = await reader.read()
      if (done) break
      length += value.length
      chunks.push(value)
    }
  } catch (error) {
    if (chunks.length === 0) throw error
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer())
}

async function sha256(bytes: Uint8Array): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', bytes.slice())
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
