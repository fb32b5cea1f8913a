import { verdicts } from '../../record/verdict.js'
import { ruleMatrix } from '../rule-matrix.js'
import type { LoadedRun } from './loaded-run.js'

/** The rules with their verdicts as words, which need less paper than a matrix. */
export function PrintedRules({ run }: { run: LoadedRun }) {
  const matrix = ruleMatrix(
    run.header,
    run.rows.map((row) => row.rules),
  )
  return (
    <section class="new-page">
      <h2>Rules</h2>
      <table>
        <tbody>
          {matrix.map(({ id, strength, section, statement, counts, rows, untestable }) => (
            <tr key={id}>
              <th scope="row">
                <code>{id}</code>
              </th>
              <td>
                {statement} ({strength}, section {section})
              </td>
              <td>
                {rows === 0 ? (untestable ?? 'no row judges it') : ''}
                {verdicts
                  .flatMap((verdict) => (counts[verdict] > 0 ? [`${counts[verdict]} ${verdict}`] : []))
                  .join(', ')}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
