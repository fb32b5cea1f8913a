import { type Verdict, verdictMeaning } from '../../../record/types/verdict.js'
import { verdictIcon } from '../../wording/verdict-icon.js'

/** A verdict as sign and word, so that colour is never the only difference; with a number before the word if given. */
export function VerdictBadge({ verdict, count }: { verdict: Verdict; count?: number }) {
  return (
    <span class={`verdict ${verdict}`} title={verdictMeaning[verdict]}>
      <span aria-hidden="true">{verdictIcon[verdict]}</span> {count === undefined ? '' : `${count} `}
      {verdict}
    </span>
  )
}
