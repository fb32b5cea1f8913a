import { verdicts } from '../../record/verdict.js'
import { textInWords } from '../judged-by.js'
import { provenInWords } from '../proof-words.js'
import { ruleMatrix } from '../rule-matrix.js'
import type { LoadedRun } from './loaded-run.js'
import { Passages } from './passages.js'

/** The rules with their verdicts as words, which need less paper than a matrix. */
export function PrintedRules({ run }: { run: LoadedRun }) {
  const matrix = ruleMatrix(
    run.header,
    run.rows.map((row) => row.rules),
  )
  const text = textInWords(run.header)
  return (
    <section class="new-page">
      <h2>Rules</h2>
      {text !== undefined && <p>Of {text}</p>}
      <table>
        <tbody>
          {matrix.map(({ id, strength, section, statement, passages, counts, rows, untestable }) => (
            <tr key={id}>
              <th scope="row">
                <code>{id}</code>
              </th>
              <td>
                {statement} ({strength}, section {section})
                <Passages passages={passages} />
              </td>
              <td>
                {rows === 0 ? (untestable ?? 'no row judges it') : ''}
                {verdicts
                  .flatMap((verdict) => (counts[verdict] > 0 ? [`${counts[verdict]} ${verdict}`] : []))
                  .join(', ')}
                {[provenInWords(id, run.header) ?? ''].filter(Boolean).map((known) => `; ${known}`)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
