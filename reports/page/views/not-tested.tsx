import { notJudged } from '../../summary/not-judged.js'
import { isUnjudgedRule, ruleMatrix } from '../../summary/rule-matrix.js'
import { count } from '../../wording/words.js'
import type { LoadedRun } from '../state/loaded-run.js'
import { addressOf } from '../state/route.js'

/** What this run says nothing about: rows that were not judged, by reason, and rules that no row judges. */
export function NotTested({ run }: { run: LoadedRun }) {
  const { header, rows } = run
  const reasons = notJudged(rows)
  const matrix = ruleMatrix(
    header,
    rows.map((row) => row.rules),
  )
  const silent = matrix.filter((rule) => rule.rows === 0)
  const unjudged = matrix.filter((rule) => rule.rows > 0 && isUnjudgedRule(rule))
  const divergent = rows.filter(({ divergences }) => divergences.length > 0).length
  return (
    <section class="card" aria-labelledby="not-tested">
      <h2 id="not-tested">What this run does not say</h2>
      {reasons.length === 0 && <p>Every recorded row was judged.</p>}
      <ul class="plain">
        {reasons.map(([reason, found]) => (
          <li key={reason}>
            <strong>{count(found.length, 'row')}</strong>: {reason}
          </li>
        ))}
        {silent.length > 0 && (
          <li>
            <strong>{count(silent.length, 'rule')}</strong> of {matrix.length}: no row of this run judges them{' '}
            <a href={addressOf({ view: 'rules', search: 'gap' })}>(which, and why)</a>
          </li>
        )}
        {unjudged.length > 0 && (
          <li>
            <strong>{count(unjudged.length, 'rule')}</strong>: none of their rows could be judged
          </li>
        )}
        {divergent > 0 && (
          <li>
            <strong>{count(divergent, 'row')}</strong> judged by a recorded divergence of the profile, where the
            interface text says something else{' '}
            <a href={addressOf({ view: 'rows', search: 'divergence:*' })}>(show them)</a>
          </li>
        )}
      </ul>
    </section>
  )
}
