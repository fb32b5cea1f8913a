import { isDeepStrictEqual } from 'node:util'
import { lacksLateCheck } from '../../record/judgements/tally.js'
import type { Judgement, RunRecord, RunRow } from '../../record/types/record.js'
import { count } from '../../reports/wording/words.js'
import { judgeAgain } from '../../runner/judge/judge-again.js'
import { altered, type BundleFinding, idsInWords, unproven } from '../finding.js'

/** Accepts any record and never throws. `isSameTool`: false permits other wording. */
export function checkVerdicts(record: RunRecord, isSameTool: boolean): BundleFinding[] {
  const again = new Map(judgeAgain(record).rows.map((row) => [row.id, row]))
  const hidden = new Map<string, string[]>()
  const found: BundleFinding[] = []
  const worded: string[] = []
  for (const row of record.rows) {
    const judged = again.get(row.id)
    if (!judged) continue
    const why = hiddenReason(judged)
    if (row.evidence.length > 0 && why !== undefined) hidden.set(why, [...(hidden.get(why) ?? []), row.id])
    else if (row.evidence.length === 0 || judged.verdict !== row.verdict)
      found.push(...comparedVerdicts(row, judged, record))
    else {
      const difference = comparedReasons(row, judged)
      if (difference?.isWording && !isSameTool) worded.push(row.id)
      else if (difference) found.push(altered(difference.what))
    }
  }
  const rows = (ids: readonly string[]): string => `${ids.length} of ${count(record.rows.length, 'verdict')}`
  const unchecked = record.rows.filter((row) => lacksLateCheck(row, record)).map(({ id }) => id)
  return [
    ...found,
    ...(worded.length > 0
      ? [unproven(`${rows(worded)} have other wording in this version: ${idsInWords(worded)}`)]
      : []),
    ...[...hidden].map(([why, ids]) => unproven(`${rows(ids)} ${why}: ${idsInWords(ids)}`)),
    ...(unchecked.length > 0
      ? [unproven(`${rows(unchecked)} lack the late-effects check of the ledger: ${idsInWords(unchecked)}`)]
      : []),
  ]
}

const hiddenReason = ({ verdict, reason }: RunRow): string | undefined =>
  verdict === 'blocked' && reason?.startsWith('cannot be judged again') ? reason : undefined

function comparedVerdicts(row: RunRow, again: RunRow, record: RunRecord): BundleFinding[] {
  const { id, verdict, evidence } = row
  if (evidence.length === 0)
    return verdict === 'not-applicable' || verdict === 'blocked' || verdict === 'error'
      ? []
      : [altered(`${id} is recorded as ${verdict}, without evidence`)]
  const what = `${id} is recorded as ${verdict}, but its evidence results in ${again.verdict}: ${again.reason ?? 'every expectation is met'}`
  return [isRunsOwn(row, again, record) ? unproven(what) : altered(what)]
}

interface Difference {
  what: string
  /** Only texts for people differ. */
  isWording: boolean
}

function comparedReasons(
  { id, verdict, judgements, reason = '', verdictByText }: RunRow,
  again: RunRow,
): Difference | undefined {
  // The run, not the evidence, determines these verdicts.
  if (verdict === 'blocked' || verdict === 'error') return undefined
  if (!isDeepStrictEqual(again.judgements, judgements))
    return {
      what: `the recorded judgements of ${id} differ from its evidence`,
      isWording: isDeepStrictEqual(factsOf(again.judgements), factsOf(judgements)),
    }
  if (verdictByText !== undefined && again.verdictByText !== verdictByText)
    return { what: `the recorded verdict of ${id} by the interface text differs from its evidence`, isWording: false }
  return (again.reason ?? '') === reason
    ? undefined
    : { what: `the recorded reason of ${id} differs from its evidence`, isWording: true }
}

const factsOf = (judgements: readonly Judgement[]): object[] =>
  judgements.map(({ expected: _, actual: __, ...facts }) => facts)

/** An outage or a fault of the program may determine the verdict. */
function isRunsOwn({ verdict, evidence }: RunRow, again: RunRow, { footer }: RunRecord): boolean {
  if (verdict !== 'blocked' && verdict !== 'error') return false
  if (again.verdict !== 'fail') return true
  const isUnanswered = evidence.some(({ problem, response }) => problem !== undefined || response?.status === 429)
  return verdict === 'blocked' && (isUnanswered || (footer?.outages ?? []).length > 0)
}
