import { useState } from 'preact/hooks'
import { parseRecord } from '../../../record/file/parse-record.js'
import { isFooter, isHeader, isPlan, isRow } from '../../../record/file/record-checks.js'
import { splitLines } from '../../../record/file/text-lines.js'
import { type LoadedRun, runOfRecord } from '../state/loaded-run.js'

/** Takes the record of an earlier run from the reader's disk. */
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
        Choose the <code>run.ndjson</code> of an earlier run, or drop it here. It is read by this page and goes nowhere.
      </p>
      <p>
        <label>
          Run record{' '}
          <input
            type="file"
            accept=".ndjson"
            onChange={({ currentTarget: input }) => {
              void take(input.files?.[0])
              // Or the same file, once it is mended, would be no change.
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
        A report that has both runs in it: <code>conform diff BEFORE.ndjson NOW.ndjson --format html --out FOLDER</code>
      </p>
    </section>
  )
}

/** The run record in a file that somebody chose; it is read here and goes nowhere. Rejects with RecordError. */
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
