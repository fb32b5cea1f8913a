/** Symbol and word, so that color is not the only difference. */
import { type Verdict, verdictMeaning } from '../../../record/types/verdict.js'
import { verdictIcon } from '../../wording/terms.js'

export function VerdictBadge({ verdict }: { verdict: Verdict }) {
  return (
    <span class={`verdict ${verdict}`} title={verdictMeaning[verdict]}>
      <span aria-hidden="true">{verdictIcon[verdict]}</span> {verdict}
    </span>
  )
}
