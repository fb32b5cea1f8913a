import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { PageRow } from '../../formats/page-row.js'
import { reasonOf, verdictByTextInWords } from '../../wording/reason.js'
import { isFailure } from '../../wording/rows.js'
import { rerunCommand } from '../../wording/shell.js'
import { duration } from '../../wording/words.js'
import { Command } from '../parts/copy.js'
import { RuleCards } from '../parts/rule-cards.js'
import { VerdictBadge } from '../parts/verdict-badge.js'
import { detailsIn, type LoadedRun } from '../state/loaded-run.js'
import { RowDetailsView } from './row-details.js'

interface RowViewProps {
  run: LoadedRun
  row: PageRow
  /** Of all rows; undefined before they are unpacked. */
  details: readonly string[] | undefined
  back: () => void
}

export function RowView({ run, row, details, back }: RowViewProps) {
  const own = useMemo(() => details && detailsIn(details, run.rows.indexOf(row)), [run, row, details])
  const article = useRef<HTMLElement>(null)
  useEffect(() => article.current?.parentElement?.scrollTo(0, 0), [])
  return (
    <article
      id="row"
      ref={article}
      tabIndex={-1}
      aria-labelledby="row-title"
      onKeyDown={(event) => {
        if (event.key === 'Escape') back()
      }}
    >
      <RowHead run={run} row={row} />
      <h3>Rules</h3>
      <RuleCards run={run} row={row} />
      {own ? <RowDetailsView run={run} row={row} details={own} /> : <p class="muted">Unpacking …</p>}
      <h3>Run this row again</h3>
      <Command name="Command that runs this row again" command={rerunCommand(row, run.header)} />
    </article>
  )
}

function RowHead({ run, row }: { run: LoadedRun; row: PageRow }) {
  const failed = run.rows.filter(isFailure)
  const byText = verdictByTextInWords(row)
  const index = failed.indexOf(row)
  return (
    <header class="row-head">
      <p class="row-line">
        <VerdictBadge verdict={row.verdict} />
        <span class="muted">
          {row.resolved.operation} · {row.resolved.impact} · {duration(row.milliseconds)}
        </span>
        {index >= 0 && (
          <span class="muted">
            failure {index + 1} of {failed.length}
          </span>
        )}
      </p>
      <h2 id="row-title">
        <code>{row.id}</code>
      </h2>
      <p class="row-title">
        <strong>{row.change}</strong>: {row.resolved.title}
      </p>
      <p class="muted">
        {row.resolved.source.file}:{row.resolved.source.line}
      </p>
      {row.verdict !== 'pass' && <p class={`reason ${row.verdict}`}>{reasonOf(row)}</p>}
      {byText !== undefined && <p class="muted">{byText}</p>}
    </header>
  )
}
