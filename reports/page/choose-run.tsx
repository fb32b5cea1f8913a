import { useState } from 'preact/hooks'
import type { LoadedRun } from './loaded-run.js'
import { readChosenFile } from './read-file.js'

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
