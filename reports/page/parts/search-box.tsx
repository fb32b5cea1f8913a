/** The search of the rows. */
import { verdicts } from '../../../record/types/verdict.js'
import { goTo } from '../state/route.js'
import { fieldNames } from '../state/row-filter.js'

export interface SearchBoxProps {
  search: string
  found: number
  total: number
  mistakes: string[]
  toList: () => void
}

const quick: readonly [name: string, search: string][] = [
  ['Failures', 'verdict:fail,error,blocked,unexpected-pass'],
  ['Warnings', 'verdict:warning'],
  ['Not run', 'verdict:not-applicable,blocked'],
]

export function SearchBox({ search, found, total, mistakes, toList }: SearchBoxProps) {
  const seek = (text: string) => goTo({ view: 'rows', search: text }, 'replace')
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
      <div class="quick">
        {quick.map(([name, text]) => (
          <button
            key={name}
            type="button"
            aria-pressed={search === text}
            onClick={() => seek(search === text ? '' : text)}
          >
            {name}
          </button>
        ))}
        <button type="button" disabled={search === ''} onClick={() => seek('')}>
          Show all
        </button>
        <output>
          {found} of {total} rows
        </output>
      </div>
      {mistakes.length > 0 && (
        <p class="note" role="status">
          Unknown verdict: {mistakes.join(', ')}. Use one of {verdicts.join(', ')}.
        </p>
      )}
      <details class="grammar">
        <summary id="search-help">How to search</summary>
        <p>
          A word matches in all fields, <code>name:value</code> in one of {fieldNames.join(', ')}. <code>a,b</code>{' '}
          matches either value, <code>*</code> any text, and <code>"two words"</code> the exact phrase. <code>-</code>{' '}
          negates a term. Example: <code>operation:submit* -verdict:pass status:4xx,5xx</code>
        </p>
      </details>
    </search>
  )
}
