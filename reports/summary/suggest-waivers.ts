import { stringify } from 'yaml'
import type { RunRecord } from '../../record/types/record.js'
import { cut, visibleLine } from '../wording/hostile-text.js'
import { inSuiteOrder } from '../wording/rows.js'
import { failureCauses } from './failure-causes.js'

const longestReason = 160
/** Days until a suggested waiver expires. */
const defaultDays = 30

/** YAML: one waiver for each divergence, and for each other cause, with its failed and blocked rows. Errors of the tool have none. */
export function suggestedWaivers({ header, rows }: RunRecord, owner: string, today: Date): string {
  const until = new Date(today.getTime() + defaultDays * 86_400_000).toISOString().slice(0, 10)
  const { embedded, url } = header.target
  const common = { ...(!embedded && { target: url }), profile: header.profile.name, owner, until }
  const entries = failureCauses(inSuiteOrder(rows), header).flatMap(
    ({ divergence, title, differences: [first], isAnswer, rows: some }): object[] => {
      // The title of a divergence or of a broken answer describes the behaviour, any other one what it breaks.
      const isBehaviour = divergence !== undefined || isAnswer
      const reason = shortened(isBehaviour ? title : (first?.text ?? title))
      if (divergence !== undefined) return [{ divergence, reason, ...common }]
      const ids = some.flatMap(({ id, verdict }) => (verdict === 'fail' || verdict === 'blocked' ? [id] : []))
      return ids.length === 0 ? [] : [{ row: ids.length === 1 ? ids[0] : ids, reason, ...common }]
    },
  )
  return stringify({ waivers: entries }, { lineWidth: 0 })
}

const shortened = (text: string): string => cut(visibleLine(text), longestReason)
