import type { PageRow } from '../../formats/page-data.js'
import { causeInWords } from '../../summary/cause.js'
import type { Cause, FailureGroup } from '../../summary/failure-groups.js'
import { count } from '../../wording/words.js'
import { addressOf } from '../state/route.js'
import { Passages } from './rule-cards.js'

const causesShown = 3
const longestValue = 200

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
          <li key={keyOfCause(cause)}>
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

/** The values are those of one row. */
export function Difference({ cause }: { cause: Cause<PageRow> }) {
  return (
    <span class="cause">
      {causeInWords(cause, longestValue)}
      {cause.rule !== undefined && (
        <>
          {' '}
          <code>{cause.rule}</code>
        </>
      )}
    </span>
  )
}

export const keyOfCause = ({ sentence, rule = '' }: Cause<PageRow>): string => `${rule} ${sentence}`

export const keyOfGroup = ({ title, tag }: FailureGroup<PageRow>): string => `${title} ${tag}`
