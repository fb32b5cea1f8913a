import { createColors } from '../../lib/colors.js'
import { firstOf } from '../../lib/first-of.js'
import type { RunRow } from '../../record/types/record.js'
import type { Verdict } from '../../record/types/verdict.js'
import { visibleLine } from '../../reports/wording/hostile-text.js'
import { inSuiteOrder } from '../../reports/wording/rows.js'
import { verdictIcon } from '../../reports/wording/terms.js'
import { count } from '../../reports/wording/words.js'

const mostRows = 40
const fine: ReadonlySet<Verdict> = new Set(['pass', 'not-applicable', 'excused', 'follows-the-text'])

/** Failures first, then other rows with another verdict; each with its previous verdict. */
export function repeatedRunText(
  rows: readonly RunRow[],
  before: ReadonlyMap<string, Verdict>,
  { color }: { color: boolean },
): string {
  const { red, green, dim } = createColors(color)
  const ordered = inSuiteOrder([...rows])
  const failures = ordered.filter(({ verdict }) => !fine.has(verdict))
  const changed = ordered.filter(({ id, verdict }) => fine.has(verdict) && before.has(id) && before.get(id) !== verdict)
  const shown = [...failures, ...changed]
  const lines = shown.map(({ id, verdict }) => {
    const word = `${verdictIcon[verdict]} ${verdict}`.padEnd(18)
    const previous = before.get(id)
    const beside = previous === undefined ? '' : previous === verdict ? '  as before' : `  before: ${previous}`
    return `${fine.has(verdict) ? green(word) : red(word)}${visibleLine(id)}${dim(beside)}`
  })
  const rest = ordered.length - shown.length
  return [
    ...firstOf(lines, mostRows, (left) => `... ${count(left, 'more row')}: see the reports`),
    `${count(failures.length, 'row')} not passed, ${count(changed.length, 'other row')} changed, ${rest} passed or not applicable${before.size === 0 ? '' : ' as before'}`,
  ].join('\n')
}
