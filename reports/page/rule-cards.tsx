import type { PageRow } from '../page-data.js'
import { ruleOf } from '../rows.js'
import type { LoadedRun } from './loaded-run.js'
import { addressOf } from './route.js'
import { VerdictBadge } from './verdict-badge.js'

/** The sentences that the row judges, those that it did not meet first, and what the profile makes of them. */
export function RuleCards({ run, row }: { run: LoadedRun; row: PageRow }) {
  const { header } = run
  const unmet = row.rules.filter(([, verdict]) => verdict !== 'pass')
  const met = row.rules.filter(([, verdict]) => verdict === 'pass')
  return (
    <>
      <ul class="rule-cards">
        {[...unmet, ...met].map(([id, verdict]) => {
          const rule = ruleOf(header, id)
          return (
            <li key={id} class={verdict}>
              <p>
                <a href={addressOf({ view: 'rows', search: `rule:${id}` })}>{id}</a>{' '}
                <span class="tag">{rule ? `${rule.strength}, section ${rule.section}` : 'not in the record'}</span>{' '}
                <VerdictBadge verdict={verdict} />
              </p>
              <p class="rule-text">{rule?.statement ?? 'The record does not say this rule.'}</p>
            </li>
          )
        })}
      </ul>
      {row.conditions.map((name) => (
        <ConditionNote key={name} run={run} name={name} />
      ))}
      {row.divergences.map((id) => {
        const known = header.divergences.find((divergence) => divergence.id === id)
        return (
          <p key={id} class="aside">
            <strong>Divergence {id}</strong>: the profile is known to differ from the text of {known?.rule ?? 'a rule'}.{' '}
            {known?.statement} <span class="muted">({known?.source ?? 'not in the record'})</span>
          </p>
        )
      })}
    </>
  )
}

/** A judgement names a condition, with the alternative that came nearest in brackets where there are several. */
function ConditionNote({ run, name }: { run: LoadedRun; name: string }) {
  const [, plain = name, chosen] = /^(\S+)(?: \((.*)\))?$/s.exec(name) ?? []
  const condition = run.header.conditions?.find((known) => known.name === plain)
  if (!condition) {
    return (
      <p class="aside">
        Refused as <code>{name}</code>.
      </p>
    )
  }
  const { meaning, accepted, alternatives, source } = condition
  return (
    <div class="aside">
      <p>
        <strong>Condition {plain}</strong>: {meaning}{' '}
        {accepted && 'The profile knows that such a request is accepted here.'}
      </p>
      {alternatives.length > 0 && (
        <ul class="alternatives" aria-label="Permitted answers">
          {alternatives.map((alternative) => {
            const isChosen = alternatives.length === 1 || alternative.startsWith(`${chosen}:`)
            return (
              <li key={alternative} class={isChosen ? 'chosen' : ''}>
                {isChosen ? '→ ' : ''}
                {alternative.replace(`${plain}: `, '')}
                {isChosen && alternatives.length > 1 && <span class="muted"> (compared with this one)</span>}
              </li>
            )
          })}
        </ul>
      )}
      {source && <p class="muted">Source: {source}</p>}
    </div>
  )
}
