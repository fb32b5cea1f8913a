/** The selection of an earlier run from a local file. */
import { useState } from 'preact/hooks'
import { parseRecord } from '../../../record/file/parse-record.js'
import { isFooter, isHeader, isPlan, isRow } from '../../../record/file/record-checks.js'
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
        Select the <code>run.ndjson</code> of an earlier run, or drop it here. Only this page reads the file.
      </p>
      <p>
        <label>
          Run record{' '}
          <input
            type="file"
            accept=".ndjson"
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
        To create a report of both runs: <code>conform diff BEFORE.ndjson NOW.ndjson --format html --out FOLDER</code>
      </p>
    </section>
  )
}

/** Rejects with `RecordError`. */
async function readChosenFile(file: File): Promise<LoadedRun> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const lines = splitLines(bytes, sha256)
  const tools = { isHeader, isPlan, isRow, isFooter, sha256: (text: string) => sha256(new TextEncoder().encode(text)) }
  return runOfRecord(await parseRecord(file.name, lines, tools))
}

async function sha256(bytes: Uint8Array): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', bytes.slice())
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
