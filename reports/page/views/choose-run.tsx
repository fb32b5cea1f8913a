import { useState } from 'preact/hooks'
import type { RunFacts } from '../../summary/compared-run.js'
import { readSummary } from '../../summary/summary-file.js'

export function ChooseRun({ setBaseline }: { setBaseline: (run: RunFacts) => void }) {
  const [problem, setProblem] = useState<string>()
  const take = async (file: File | undefined) => {
    if (!file) return
    const read = readSummary(await file.text())
    if (read) setBaseline(read.facts)
    else setProblem(`${file.name} is not the summary of a run. Select the summary.json of an earlier run.`)
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
        Select the <code>summary.json</code> of an earlier run, or drop it here. Only this page reads the file.
      </p>
      <p>
        <label>
          Summary of a run{' '}
          <input
            type="file"
            accept=".json"
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
