import type { RuleVerdicts } from '../../../record/judgements/rule-verdicts.js'
import type { RunHeader } from '../../../record/types/record.js'
import type { PageRow } from '../../formats/page-row.js'
import { divergenceOf } from '../../summary/failure-causes.js'
import { ruleOf } from '../../wording/rows.js'
import { confidenceWords, ruleTag } from '../../wording/terms.js'
import { count } from '../../wording/words.js'
import type { LoadedRun } from '../state/loaded-run.js'
import { addressOf } from '../state/route.js'
import { VerdictBadge } from './verdict-badge.js'

export function RuleCards({ run, row }: { run: LoadedRun; row: PageRow }) {
  const { header } = run
  const unmet = row.rules.filter(([, verdict]) => verdict !== 'pass')
  const met = row.rules.filter(([, verdict]) => verdict === 'pass')
  return (
    <>
      <RuleList header={header} rules={unmet} />
      {met.length > 0 && (
        <details class="fold">
          <summary>{count(met.length, 'rule')} met</summary>
          <RuleList header={header} rules={met} />
        </details>
      )}
      {row.situations.map((name) => (
        <SituationNote key={name} run={run} name={name} />
      ))}
      {row.divergences.map((id) => {
        const known = divergenceOf(header, id)
        return (
          <p key={id} class="aside">
            <strong>Divergence {id}</strong>: {known?.profile ?? 'a profile'} differs from the text of{' '}
            {known?.rule ?? 'a rule'}. {known?.statement}{' '}
            <span class="muted">({known?.source ?? 'not in the record'})</span>
          </p>
        )
      })}
    </>
  )
}

function RuleList({ header, rules }: { header: RunHeader; rules: RuleVerdicts }) {
  return (
    <ul class="rule-cards">
      {rules.map(([id, verdict]) => {
        const rule = ruleOf(header, id)
        return (
          <li key={id} class={verdict}>
            <p>
              <a href={addressOf({ view: 'rows', search: `rule:${id}` })}>{id}</a>{' '}
              <span class="tag">{rule ? ruleTag(rule) : 'not in the record'}</span> <VerdictBadge verdict={verdict} />
            </p>
            <p class="rule-text">{rule?.statement ?? 'The record does not contain this rule.'}</p>
            <Passages passages={rule?.passages} />
          </li>
        )
      })}
    </ul>
  )
}

const outcomeWords = {
  accepted: 'Expected outcome: accepted.',
  refused: 'Expected outcome: rejected.',
  either: 'Expected outcome: accepted or rejected.',
} as const

/** `name`: the situation, with the compared alternative in parentheses if the situation has several. */
function SituationNote({ run, name }: { run: LoadedRun; name: string }) {
  const [, plain = name, chosen] = /^(\S+)(?: \((.*)\))?$/s.exec(name) ?? []
  // Built in: the record has no meaning of it, and its name states its outcome.
  if (plain === 'accepted') return null
  const situation = run.header.profile.situations?.find((known) => known.name === plain)
  if (!situation) {
    return (
      <p class="aside">
        Situation <code>{name}</code>: not in the record.
      </p>
    )
  }
  const { meaning, outcome, alternatives, confidence, source } = situation
  return (
    <div class="aside">
      <p>
        <strong>Situation {plain}</strong>: {meaning} {outcomeWords[outcome]}
      </p>
      {alternatives.length > 0 && (
        <ul class="alternatives" aria-label="Permitted responses">
          {alternatives.map((alternative) => {
            const isChosen = alternatives.length === 1 || alternative.startsWith(`${chosen}:`)
            return (
              <li key={alternative} class={isChosen ? 'chosen' : ''}>
                {isChosen ? '→ ' : ''}
                {alternative.replace(`${plain}: `, '')}
                {isChosen && alternatives.length > 1 && <span class="muted"> (compared)</span>}
              </li>
            )
          })}
        </ul>
      )}
      <p class="muted">
        Basis: {confidenceWords[confidence]}
        {source === undefined ? '' : `, ${source}`}
      </p>
    </div>
  )
}

function Passages({ passages = [] }: { passages?: string[] | undefined }) {
  if (passages.length === 0) return null
  return <p class="muted passages">Interface text: {passages.join('; ')}</p>
}
