import { countVerdicts, verdicts } from '../../../record/types/verdict.js'
import { verdictIcon } from '../../wording/terms.js'
import type { LoadedRun } from '../state/loaded-run.js'
import { goTo } from '../state/route.js'
import { fieldNames, withTerm } from '../state/row-filter.js'

interface SearchBoxProps {
  run: LoadedRun
  search: string
  found: number
  mistakes: string[]
  toList: () => void
}

const seek = (text: string) => goTo({ view: 'rows', search: text }, 'replace')

export function SearchBox({ run, search, found, mistakes, toList }: SearchBoxProps) {
  return (
    <search class="search-box">
      <label for="search">Search rows</label>
      <input
        id="search"
        type="search"
        value={search}
        placeholder="verdict:fail rule:GEN-* status:5xx text"
        autocomplete="off"
        spellcheck={false}
        aria-describedby="search-help"
        onInput={(event) => seek(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' || event.key === 'ArrowDown') toList()
        }}
      />
      <Chips run={run} search={search} />
      <p class="quick">
        <button type="button" disabled={search === ''} onClick={() => seek('')}>
          Show all
        </button>
        <output>
          {found} of {run.rows.length} rows
        </output>
      </p>
      {mistakes.map((mistake) => (
        <p key={mistake} class="note" role="status">
          {mistake}
        </p>
      ))}
      <details class="grammar">
        <summary id="search-help">How to search</summary>
        <p>
          A word matches in ids, titles, requests and answers, <code>name:value</code> in one of {fieldNames.join(', ')}
          . <code>a,b</code> matches either value, <code>*</code> any text, and <code>"two words"</code> the exact
          phrase. <code>-</code> negates a term. Example: <code>operation:submit* -verdict:pass status:4xx,5xx</code>
        </p>
      </details>
    </search>
  )
}

function Chips({ run, search }: { run: LoadedRun; search: string }) {
  const counts = countVerdicts(run.rows.map(({ verdict }) => verdict))
  const operations = [...new Set(run.rows.map(({ resolved }) => resolved.operation))]
  return (
    <div class="quick">
      {verdicts.map(
        (verdict) =>
          counts[verdict] > 0 && (
            <Chip key={verdict} search={search} field="verdict" value={verdict}>
              {`${verdictIcon[verdict]} ${verdict} (${counts[verdict]})`}
            </Chip>
          ),
      )}
      {operations.length > 1 &&
        operations.map((operation) => (
          <Chip key={operation} search={search} field="operation" value={operation}>
            {`${operation} (${run.rows.filter(({ resolved }) => resolved.operation === operation).length})`}
          </Chip>
        ))}
    </div>
  )
}

interface ChipProps {
  search: string
  field: string
  value: string
  children: string
}

function Chip({ search, field, value, children }: ChipProps) {
  const [isSet, next] = withTerm(search, field, value)
  return (
    <button type="button" aria-pressed={isSet} onClick={() => seek(next)}>
      {children}
    </button>
  )
}
