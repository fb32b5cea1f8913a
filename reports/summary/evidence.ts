import { firstOf } from '../../lib/first-of.js'
import { groupBy } from '../../lib/group-by.js'
import type { RuleExamination } from '../../record/judgements/examination.js'
import type { RowResult, RunRecord, RunRow } from '../../record/types/record.js'
import { reasonOf } from '../wording/reason.js'
import { reasonText } from '../wording/reason-words.js'
import { isFailure, isJudged } from '../wording/rows.js'
import { count } from '../wording/words.js'

const namedRules = 12
const namedCauses = 2

export function missingEvidence(record: RunRecord, rules: readonly RuleExamination[]): string[] {
  // Blocked rows state their own causes.
  const blocked = new Set(
    record.rows.flatMap((row) => (row.verdict === 'blocked' && row.reason ? JSON.stringify(row.reason) : [])),
  )
  const missing = rules.filter(({ state }) => state === 'missing')
  return [
    ...operationsInScope(record)
      .filter((operation) => !record.rows.some((row) => row.resolved.operation === operation && wasAccepted(row)))
      .map((operation) => `No request of ${operation} was accepted with a correct response.`),
    ...byCause(missing, blocked).map(
      ([why, ids]) => `${count(ids.length, 'mandatory rule')} not tested (${namedIn(ids)}): ${why}.`,
    ),
  ]
}

const rowsBlocked = 'their rows are blocked'

/** `blocked`: keys of reasons that the rows themselves state. */
export function byCause(
  rules: readonly RuleExamination[],
  blocked?: ReadonlySet<string>,
): [why: string, ids: string[]][] {
  return [...groupBy(rules, ({ causes }) => causesInWords(causes, blocked))]
    .map(([why, alike]): [string, string[]] => [why, alike.map(({ rule }) => rule.id)])
    .toSorted(([, a], [, b]) => b.length - a.length)
}

/** `3 rows: they need a token; 2 more causes`. */
function causesInWords(causes: RuleExamination['causes'], blocked: ReadonlySet<string> = new Set()): string {
  const whys = [...new Set(causes.map(([why]) => (blocked.has(JSON.stringify(why)) ? rowsBlocked : reasonText(why))))]
  // Rules with the same causes are one group, whichever of them has more rows.
  const inOrder = [...whys.slice(0, namedCauses).toSorted(), ...whys.slice(namedCauses)]
  return firstOf(inOrder, namedCauses, (left) => count(left, 'more cause')).join('; ')
}

/** `A, B, 3 more`. */
export const namedIn = (ids: readonly string[]): string => firstOf(ids, namedRules, (left) => `${left} more`).join(', ')

const operationsInScope = ({ header, rows }: RunRecord): string[] =>
  header.selection?.operations ?? [...new Set(rows.map(({ resolved }) => resolved.operation))]

/** The request under test has a 2xx response, and nothing in the row failed. */
const wasAccepted = (row: RunRow): boolean =>
  isJudged(row) &&
  !isFailure(row) &&
  row.evidence.some(({ role, response }) => role === 'act' && response && Math.floor(response.status / 100) === 2)

export function notJudged<R extends RowResult>(rows: readonly R[]): [reason: string, rows: R[]][] {
  const found = rows.filter(({ verdict }) => verdict === 'not-applicable' || verdict === 'blocked')
  return [...groupBy(found, reasonOf)].toSorted(([, a], [, b]) => b.length - a.length)
}
