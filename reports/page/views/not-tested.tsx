/** The rows and rules that the run did not test, with the reasons. */
import { notJudged } from '../../summary/not-judged.js'
import { isUnjudgedRule, ruleMatrix } from '../../summary/rule-matrix.js'
import { count } from '../../wording/words.js'
import type { LoadedRun } from '../state/loaded-run.js'
import { addressOf } from '../state/route.js'

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
