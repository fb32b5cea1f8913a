import { useState } from 'preact/hooks'
import { type ChangeListName, changeLines } from '../../compare/change-lines.js'
import type { Comparison } from '../../compare/compare-runs.js'
import type { PageRow } from '../../formats/page-data.js'
import { duration } from '../../wording/words.js'
import { addressOf } from '../state/route.js'
import { VerdictBadge } from './verdict-badge.js'

export interface ChangeListProps {
  list: ChangeListName
  title: string
  found: Comparison<PageRow>
}

/** Rows that are shown of a list before the rest is asked for. */
const listed = 50

/** One kind of change with its rows. */
export function ChangeList({ list, title, found }: ChangeListProps) {
  const [isAll, setAll] = useState(false)
  const changes = changeLines(found, list)
  if (changes.length === 0) return null
  const shown = isAll ? changes : changes.slice(0, listed)
  return (
    <section class={`card changes ${list}`} aria-labelledby={list}>
      <h3 id={list}>
        {title} <span class="tag strong">{changes.length}</span>
      </h3>
      <ul class="row-links">
        {shown.map(({ id, before, after }) => (
          <li key={id}>
            <a class="row-link" href={addressOf({ view: 'compare', row: id })}>
              {before && before.verdict !== after?.verdict && <VerdictBadge verdict={before.verdict} />}
              {before && after && before.verdict !== after.verdict && <span aria-hidden="true">→</span>}
              {after && <VerdictBadge verdict={after.verdict} />} <code>{id}</code>{' '}
              <span class="title">{(after ?? before)?.resolved.title}</span>
              {list === 'changedTiming' && before && after && (
                <span class="muted">
                  {duration(before.milliseconds)} → {duration(after.milliseconds)}
                </span>
              )}
            </a>
          </li>
        ))}
      </ul>
      {changes.length > shown.length && (
        <button type="button" onClick={() => setAll(true)}>
          Show all {changes.length}
        </button>
      )}
    </section>
  )
}
