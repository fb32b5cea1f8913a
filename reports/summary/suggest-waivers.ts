import { stringify } from 'yaml'
import { rulesOf } from '../../record/judgements/rule-verdicts.js'
import type { RunRecord } from '../../record/types/record.js'
import { cut, visibleLine } from '../wording/hostile-text.js'
import { inSuiteOrder } from '../wording/rows.js'
import { failureGroups } from './failure-groups.js'

const longestReason = 160
/** Days that a new waiver holds: long enough to mend something, and not to forget it. */
const usualDays = 30

/**
 * Entries for a file of waivers that would excuse what failed: one for each divergence that explains rows, and one for each other
 * row. A fault of the tool is none to put up with. `owner`: who sees to it; `today` as the record says its days.
 */
export function suggestedWaivers({ header, rows }: RunRecord, owner: string, today: Date): string {
  const until = new Date(today.getTime() + usualDays * 86_400_000).toISOString().slice(0, 10)
  const { embedded, url } = header.target
  const common = { ...(!embedded && { target: url }), profile: header.profile.name, owner, until }
  const groups = failureGroups(inSuiteOrder(rows), header, rulesOf)
  const entries = groups.flatMap(({ divergence, statement, causes }): object[] => {
    if (divergence !== undefined) return [{ divergence, reason: shortened(statement || divergence), ...common }]
    return causes.flatMap(({ sentence, rows: some }) =>
      some
        .filter(({ verdict }) => verdict === 'fail' || verdict === 'blocked')
        .map(({ id }) => ({ row: id, reason: shortened(sentence), ...common })),
    )
  })
  return stringify({ waivers: entries }, { lineWidth: 0 })
}

const shortened = (text: string): string => cut(visibleLine(text), longestReason)
