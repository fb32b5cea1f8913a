import { aboutWhat } from '../../../record/judgements/waivers.js'
import { notJudged } from '../../summary/evidence.js'
import { perShardNote, remainingState } from '../../summary/remaining-state.js'
import { isUnjudgedRule, ruleMatrix } from '../../summary/rule-matrix.js'
import { setupFacts } from '../../summary/run-setup.js'
import { count } from '../../wording/words.js'
import type { LoadedRun } from '../state/loaded-run.js'
import { addressOf } from '../state/route.js'

export function Facts({ run }: { run: LoadedRun }) {
  const { facts, digests } = setupFacts(run)
  const capabilities = Object.entries(run.header.capabilities)
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
      {digests.map(([name, value]) => (
        <div key={name} class="long">
          <dt>{name}</dt>
          <dd>
            <code>{value}</code>
          </dd>
        </div>
      ))}
      {capabilities.length > 0 && (
        <div class="long">
          <dt>Capabilities of the target</dt>
          <dd class="capabilities">
            {capabilities.map(([name, has]) => (
              <span key={name} class={`verdict ${has ? 'pass' : 'not-applicable'}`}>
                {has ? '✓' : '–'} {name}: {has ? 'yes' : 'no'}
              </span>
            ))}
          </dd>
        </div>
      )}
    </dl>
  )
}

export function NotTested({ run }: { run: LoadedRun }) {
  const { header, rows } = run
  const reasons = notJudged(rows)
  const matrix = ruleMatrix(
    header,
    rows.map((row) => row.rules),
  )
  const withoutRows = matrix.filter((rule) => rule.rows === 0)
  const unjudged = matrix.filter((rule) => rule.rows > 0 && isUnjudgedRule(rule))
  const divergent = rows.filter(({ divergences }) => divergences.length > 0).length
  return (
    <section class="card" aria-labelledby="not-tested">
      <h2 id="not-tested">Not tested</h2>
      {reasons.length === 0 && <p>Every recorded row was judged.</p>}
      <ul class="plain">
        {reasons.map(([reason, found]) => (
          <li key={reason}>
            <strong>{count(found.length, 'row')}</strong>: {reason}
          </li>
        ))}
        {withoutRows.length > 0 && (
          <li>
            <strong>{count(withoutRows.length, 'rule')}</strong> of {matrix.length}: no row of this run judges them{' '}
            <a href={addressOf({ view: 'rules', search: 'gap' })}>(show them, with reasons)</a>
          </li>
        )}
        {unjudged.length > 0 && (
          <li>
            <strong>{count(unjudged.length, 'rule')}</strong> of {matrix.length}: none of their rows was judged
          </li>
        )}
        {divergent > 0 && (
          <li>
            <strong>{count(divergent, 'row')}</strong>: judged by a recorded divergence of the profile instead of the
            interface text <a href={addressOf({ view: 'rows', search: 'divergence:*' })}>(show them)</a>
          </li>
        )}
      </ul>
    </section>
  )
}

export function Waivers({ run }: { run: LoadedRun }) {
  const { waivers = [] } = run.header
  if (waivers.length === 0) return null
  const excused = run.conclusion.counts.excused
  return (
    <section class="card" aria-labelledby="waivers">
      <h2 id="waivers">Waivers</h2>
      <p>
        <a href={addressOf({ view: 'rows', search: 'verdict:excused' })}>{count(excused, 'row')} excused</a>
      </p>
      <ul class="plain">
        {waivers.map((waiver) => (
          <li key={`${aboutWhat(waiver)} ${waiver.until}`}>
            <code>{aboutWhat(waiver)}</code>: {waiver.reason} ({waiver.owner}, until {waiver.until}
            {waiver.link !== undefined && `, ${waiver.link}`})
          </li>
        ))}
      </ul>
    </section>
  )
}

export function RemainingState({ run }: { run: LoadedRun }) {
  const items = remainingState(run)
  if (items.length === 0) return null
  return (
    <section class="card" aria-labelledby="remaining">
      <h2 id="remaining">Remains on the participant{perShardNote(run.header)}</h2>
      <ul class="plain">
        {items.map(({ what, names }) => (
          <li key={what}>
            <strong>{what}</strong>
            {names.length > 0 && `: ${names.join(', ')}`}
          </li>
        ))}
      </ul>
    </section>
  )
}
