/** The list of vetted packages must show the changes that the run applies. Pure. */
import { printJson } from '../../lib/json/json.js'
import type { Evidence, OracleFinding, RunRow } from '../../record/types/record.js'
import { answerOf, sentJson } from '../judge/answer.js'
import { isSuccess } from '../judge/sent-steps.js'
import { valueAt } from '../template/pointer.js'
import { unproven } from './reconciled-run.js'

const list = 'list-vetted-packages'

interface Exchange {
  row: RunRow
  evidence: Evidence
  operation: string
}

/** A run that applies no change has no proof. It never conforms, because rules of applied changes are not tested. */
export function vettingFindings(rows: readonly RunRow[]): OracleFinding[] {
  const exchanges = rows.flatMap((row) =>
    row.evidence.map((evidence): Exchange => {
      const operation = row.resolved.steps[evidence.step]?.operation ?? ''
      return { row, evidence, operation }
    }),
  )
  const answered = exchanges.filter(
    ({ operation, evidence }) => isSuccess(evidence) && (operation === list || isChange(operation, evidence)),
  )
  const ordered = answered.toSorted((a, b) => Date.parse(a.evidence.startedAt) - Date.parse(b.evidence.startedAt))
  const changes = changesBetweenLists(ordered)
  const [hidden] = changes
  if (!hidden || changes.some(({ isShown }) => isShown)) return []
  const relying = new Set(exchanges.flatMap(({ operation, row }) => (operation === list ? [row.id] : [])))
  return [unproven(list, { code: 'vetting-hidden', row: hidden.row }, [...relying])]
}

/** By the answer itself, the change is applied and changes the packages. */
function isChange(operation: string, evidence: Evidence): boolean {
  if (operation !== 'update-package-vetting' || valueAt(sentJson(evidence), '/dryRun') === true) return false
  const answer = answerOf(evidence)?.json
  const [past, next] = ['past', 'new'].map((name) => valueAt(answer, `/${name}VettedPackages/packages`))
  return past !== undefined && next !== undefined && printJson(past) !== printJson(next)
}

/** Changes between two answers to the same question. `row`: made the change. */
function changesBetweenLists(ordered: readonly Exchange[]): { row: string; isShown: boolean }[] {
  const before = new Map<string, { question: Evidence; answer: string; changes: RunRow[] }>()
  return ordered.flatMap(({ operation, evidence, row }) => {
    if (operation !== list) {
      for (const one of before.values()) if (covers(one.question, evidence)) one.changes.push(row)
      return []
    }
    const question = evidence.request.body?.text ?? ''
    const answer = evidence.response?.body.text ?? ''
    const earlier = before.get(question)
    before.set(question, { question: evidence, answer, changes: [] })
    const [change, ...more] = earlier?.changes ?? []
    // Several changes may restore the first state.
    return earlier && change && more.length === 0 ? [{ row: change.id, isShown: earlier.answer !== answer }] : []
  })
}

/** A list of one synchronizer shows no change of another one. */
function covers(question: Evidence, change: Evidence): boolean {
  const listed = valueAt(sentJson(question), '/topologyStateFilter/synchronizerIds')
  if (!Array.isArray(listed) || listed.length === 0) return true
  const answered = valueAt(answerOf(change)?.json, '/newVettedPackages/synchronizerId')
  const changed = answered ?? valueAt(sentJson(change), '/synchronizerId')
  return changed !== undefined && listed.includes(changed)
}
