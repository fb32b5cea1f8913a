/** A group of failures with its most frequent causes. */
import type { PageRow } from '../../formats/page-data.js'
import type { Cause, FailureGroup } from '../../summary/failure-groups.js'
import { count } from '../../wording/words.js'
import { addressOf } from '../state/route.js'
import { Passages } from './passages.js'

const causesShown = 3

export function CauseList({ group }: { group: FailureGroup<PageRow> }) {
  const more = group.causes.length - causesShown
  return (
    <div class="group-short">
      <h3>
        <GroupTitle group={group} />
      </h3>
      {group.statement !== '' && <p class="rule-text">{group.statement}</p>}
      <Passages passages={group.passages} />
      <ul class="causes">
        {group.causes.slice(0, causesShown).map((cause) => (
          <li key={cause.sentence}>
            <span class="times">{cause.rows.length}×</span> <Difference cause={cause} />
          </li>
        ))}
        {more > 0 && <li class="muted">and {count(more, 'more cause')}</li>}
      </ul>
    </div>
  )
}

export function GroupTitle({ group }: { group: FailureGroup<PageRow> }) {
  return (
    <>
      {group.search === undefined ? (
        group.title
      ) : (
        <a href={addressOf({ view: 'rows', search: group.search })}>{group.title}</a>
      )}{' '}
      <span class="tag">{group.tag}</span> <span class="tag strong">{count(group.rows.length, 'row')}</span>
    </>
  )
}

export function Difference({ cause: { sentence, parts } }: { cause: Cause<PageRow> }) {
  if (!parts) return <span class="cause">{sentence}</span>
  return (
    <span class="cause">
      <code>{parts.subject}</code> <span class="muted">expected</span> <code class="wanted">{parts.expected}</code>{' '}
      <span class="muted">found</span> <code class="found">{parts.actual}</code>
    </span>
  )
}
