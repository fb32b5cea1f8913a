/** Whether the suite finds a lie out: by a failing row that cites one of the rules which the lie breaks. */
import type { RunRow } from '../../record/record.js'
import { rulesOfRow } from '../../runner/plan/select.js'
import { citing, rowsAgainst } from './rows-against.js'
import type { Lie, Scope } from './stage.js'

export interface FoundOut {
  rows: RunRow[]
  failed: RunRow[]
  /** Those of the failed rows that cite one of the lie's rules. */
  cited: RunRow[]
  /** Blocked rows, and those with an error. */
  unjudged: RunRow[]
  milliseconds: number
  /** What breaks no rule is found out by nothing: no row fails, and each is judged. */
  isFound: boolean
}

/** Runs the rows that can meet the lie. */
export async function foundOut(t: Scope, lie: Lie): Promise<FoundOut> {
  const { met } = lie
  const { rows, milliseconds } = await rowsAgainst(t, lie, met ? (id) => met.test(id) : citing(lie.rules))
  const failed = rows.filter(({ verdict }) => verdict === 'fail')
  const cited = failed.filter((row) => cites(row, lie.rules))
  const unjudged = rows.filter(({ verdict }) => verdict === 'blocked' || verdict === 'error')
  const isFound = lie.rules.length > 0 ? cited.length > 0 : failed.length + unjudged.length === 0
  return { rows, failed, cited, unjudged, milliseconds, isFound }
}

const cites = ({ resolved, judgements }: RunRow, rules: readonly string[]): boolean =>
  rulesOfRow(resolved).some((rule) => rules.includes(rule)) ||
  judgements.some((one) => !one.met && one.rules.some((rule) => rules.includes(rule)))
