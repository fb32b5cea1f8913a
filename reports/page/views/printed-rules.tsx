import { verdicts } from '../../../record/types/verdict.js'
import { ruleMutationText } from '../../summary/mutation-text.js'
import { isUnjudgedRule, isUnmetRule, type RuleLine, ruleMatrix } from '../../summary/rule-matrix.js'
import { textInWords } from '../../wording/judged-by.js'
import { Passages } from '../parts/passages.js'
import type { LoadedRun } from '../state/loaded-run.js'

/** The rules with their verdicts as words, which need less paper than a matrix: in full where something is to be told of them. */
export function PrintedRules({ run }: { run: LoadedRun }) {
  const matrix = ruleMatrix(
    run.header,
    run.rows.map((row) => row.rules),
  )
  const text = textInWords(run.header)
  const forClients = matrix.filter(({ strength }) => strength === 'client')
  const telling = matrix.filter((rule) => (isUnmetRule(rule) || isUnjudgedRule(rule)) && !forClients.includes(rule))
  const rest = matrix.filter((rule) => !telling.includes(rule) && !forClients.includes(rule))
  return (
    <section class="new-page">
      <h2>Rules</h2>
      {text !== undefined && <p>Of {text}</p>}
      <table class="rule-table">
        <tbody>
          {telling.map((rule) => (
            <tr key={rule.id}>
              <th scope="row">
                <code>{rule.id}</code>
              </th>
              <td>
                {rule.statement} ({rule.strength}, section {rule.section})
                {isUnmetRule(rule) && <Passages passages={rule.passages} />}
              </td>
              <td>
                {rule.rows === 0 ? (rule.untestable ?? 'no row judges it') : ''}
                {countsOf(rule)}
                {[ruleMutationText(rule.id, run.header) ?? ''].filter(Boolean).map((known) => `; ${known}`)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {forClients.length > 0 && (
        <p>Obligations on clients, with nothing to test on a server: {forClients.map(({ id }) => id).join(', ')}</p>
      )}
      {rest.length > 0 && <h3>Met, wherever they were judged</h3>}
      <ul class="rule-list">
        {rest.map((rule) => (
          <li key={rule.id}>
            <code>{rule.id}</code> {countsOf(rule)}
          </li>
        ))}
      </ul>
    </section>
  )
}

const countsOf = ({ counts }: RuleLine): string =>
  verdicts.flatMap((verdict) => (counts[verdict] > 0 ? [`${counts[verdict]} ${verdict}`] : [])).join(', ')
