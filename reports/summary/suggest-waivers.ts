import { stringify } from 'yaml'
import { rulesOf } from '../../record/judgements/rule-verdicts.js'
import type { RunRecord } from '../../record/types/record.js'
import { cut, visibleLine } from '../wording/hostile-text.js'
import { inSuiteOrder } from '../wording/rows.js'
import { failureGroups } from './failure-groups.js'

const longestReason = 160
/** Days until a suggested waiver expires. */
const defaultDays = 30

/** YAML: one waiver for each divergence, and for each other cause, with its failed and blocked rows. Errors of the tool have none. */
export function suggestedWaivers({ header, rows }: RunRecord, owner: string, today: Date): string {
  const until = new Date(today.getTime() + defaultDays * 86_400_000).toISOString().slice(0, 10)
  const { embedded, url } = header.target
  const common = { ...(!embedded && { target: url }), profile: header.profile.name, owner, until }
  const groups = failureGroups(inSuiteOrder(rows), header, rulesOf)
  const entries = groups.flatMap(({ divergence, statement, causes }): object[] => {
    if (divergence !== undefined) return [{ divergence, reason: shortened(statement || divergence), ...common }]
    return causes.flatMap(({ sentence, rows: some }) => {
      const ids = some.flatMap(({ id, verdict }) => (verdict === 'fail' || verdict === 'blocked' ? [id] : []))
      if (ids.length === 0) return []
      return [{ row: ids.length === 1 ? ids[0] : ids, reason: shortened(sentence), ...common }]
    })
  })
  return stringify({ waivers: entries }, { lineWidth: 0 })
}

const shortened = (text: string): string => cut(visibleLine(text), longestReason)
