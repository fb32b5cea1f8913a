/** Transactions of the run's parties beside the requests of the run. Pure. */
import { groupBy } from '../../lib/group-by.js'
import type { Reason } from '../../record/types/reason.js'
import type { OracleFinding, RunRow } from '../../record/types/record.js'
import { judgeEffects } from '../judge/judge-effects.js'
import { factOf } from '../judge/judge-exchange.js'
import { isMissing, missingUpdate } from './controls.js'
import type { ShownUpdate } from './ledger-view.js'
import { lateExcerpt } from './ledger-watch.js'
import { contradicted, effectsOf, type ReconciledRun, unproven } from './reconciled-run.js'
import { type AcceptedRequest, actingParties, type MarkedRow } from './run-requests.js'

/** The parties of a run are fresh, so each of their transactions belongs to a request. */
export function unexplained(run: ReconciledRun): OracleFinding[] {
  const { header, rows, view, marked, accepted, control } = run
  // Only one repetition of a row is recorded.
  if ((header.repeat ?? 1) > 1) return []
  const answered = new Set([...accepted, ...(control ? [control] : [])].flatMap(({ updateId }) => updateId ?? []))
  const marks = marked.map(({ marker }) => marker).filter((marker) => !marker.startsWith(`${header.run}-`))
  // Fixtures have markers of the run, too.
  const isExplained = ({ id, text, isOwn }: ShownUpdate): boolean =>
    !isOwn || answered.has(id) || text.includes(`${header.run}-`) || marks.some((mark) => text.includes(mark))
  const found = [...view.updates.values()].filter((update) => !isExplained(update))
  const [first] = found
  if (!first) return []
  const { id: update, offset } = first
  const more = found.length - 1
  const reason: Reason = { code: 'updates-unexplained', update, offset, ...(more > 0 && { more }) }
  const suspects = found.map(({ id, offset: at }) => ({ id, rows: rows.filter((one) => ranDuring(one, at)) }))
  const blamed = suspects.flatMap(({ id, rows: [row, ...others] }) =>
    row && others.length === 0 ? [contradicted('updates', { code: 'update-unexplained', update: id }, row)] : [],
  )
  const doubtful = new Set(
    suspects.flatMap(({ rows: several }) => (several.length > 1 ? several.map(({ id }) => id) : [])),
  )
  return [
    contradicted('updates', reason),
    ...blamed,
    // Each of several rows may be the cause, so none has proof that it had no other effect.
    ...(doubtful.size > 0 ? [unproven('updates', reason, [...doubtful])] : []),
  ]
}

/** Between the offsets that the probes of the row read. */
function ranDuring({ variables = {} }: RunRow, offset: number): boolean {
  const { begin, end } = variables
  return begin !== undefined && end !== undefined && Number(begin) < offset && offset <= Number(end)
}

/** Judges each row again, with all transactions of its marker. Rows of one presigned transaction share its marker. */
export function laterEffects(run: ReconciledRun): OracleFinding[] {
  const candidates = run.marked.flatMap((one) => candidateOf(one))
  return [...groupBy(candidates, ({ marker }) => marker).values()].flatMap((several) => effectsOfMarker(several, run))
}

interface Candidate extends MarkedRow {
  /** Index of the step whose effects are expected. */
  step: number
}

/** Rows that sent the request whose effects they expect. */
function candidateOf({ row, marker }: MarkedRow): Candidate[] {
  const step = row.resolved.steps.findIndex(({ expectations }) => expectations.some(({ kind }) => kind === 'effects'))
  const isSent = row.evidence.some((one) => one.step === step && one.role === 'act')
  return isSent ? [{ row, marker, step }] : []
}

function effectsOfMarker(several: readonly Candidate[], { byMarker, accepted }: ReconciledRun): OracleFinding[] {
  const updates = byMarker.get(several[0]?.marker ?? '') ?? []
  const first = Math.min(...updates.map(({ offset }) => offset))
  const mayHaveCommitted = ({ row }: Candidate): boolean => Number(row.variables?.['begin'] ?? 0) < first
  const candidates = several.length === 1 ? several : several.filter(mayHaveCommitted)
  const unmet = candidates.flatMap((one) => {
    const found = unmetBy(one, updates)
    return found === undefined ? [] : [{ ...one, found }]
  })
  // A row whose answer or profile permits all the transactions explains them.
  if (unmet.length < candidates.length) return []
  const isAccepted = ({ row }: Candidate): boolean => accepted.some((one) => one.row === row)
  const blamed = candidates.length === 1 ? unmet : unmet.filter(isAccepted)
  if (blamed.length > 0) return blamed.map(({ row, found }) => contradicted('updates', found, row))
  return unmet.length === 0 ? [] : unattributed(candidates, updates)
}

function unmetBy({ row, marker, step }: Candidate, updates: readonly ShownUpdate[]): Reason | undefined {
  const sent = row.evidence.filter(({ role }) => role !== 'late-check')
  const texts = updates.map(({ text }) => text)
  const evidence = [...sent, lateExcerpt(step, texts, { url: '', startedAt: row.startedAt })]
  const unmet = judgeEffects(row.resolved, evidence, new Map([['row', marker]])).find(({ met }) => !met)
  return unmet && { code: 'unmet', unmet: factOf(unmet) }
}

/** One finding: the participant rejected all requests and committed the transaction. No single row is the cause. */
function unattributed(candidates: readonly Candidate[], updates: readonly ShownUpdate[]): OracleFinding[] {
  const ids = candidates.map(({ row }) => row.id)
  const reason: Reason = { code: 'rejected-but-committed', rows: ids, updates: updates.map(({ id }) => id) }
  return [contradicted('updates', reason), unproven('updates', reason, ids)]
}

/** The answer names the transaction of another row. */
export function exchangedAnswers({ view, marked, accepted }: ReconciledRun): OracleFinding[] {
  const markers = new Map(marked.map(({ row, marker }) => [row, marker]))
  return accepted.flatMap(({ operation, row, updateId = '' }) => {
    const own = row && markers.get(row)
    const text = view.updates.get(updateId)?.text
    if (own === undefined || text === undefined || text.includes(own)) return []
    const other = marked.find(({ marker }) => text.includes(marker))?.row.id
    if (other === undefined) return []
    return [contradicted('updates', { code: 'answer-exchanged', operation, update: updateId, row: other }, row)]
  })
}

/** The answer names a transaction that the ledger lacks. Other rows rely on the same updates. */
export function lostSubmissions(run: ReconciledRun): OracleFinding[] {
  const missing = run.owed.filter((one) => isMissing(one, run))
  const [first] = missing
  if (!first) return []
  return [
    ...missing.map((one) => contradicted('updates', missingUpdate(one), one.row)),
    unproven('updates', missingUpdate(first), run.relying),
  ]
}

/** `execute` answers without an update id: the marker shows the transaction of an accepted request. */
export function lostExecutions({ view, marked, accepted, completions, byMarker }: ReconciledRun): OracleFinding[] {
  const rejected = new Set(completions.flatMap((one) => (one.isSuccess ? [] : [one.marker])))
  return marked.flatMap(({ row, marker }) => {
    const own = accepted.filter((one) => one.row === row && one.updateId === undefined && isExpected(one))
    const isRead = own.every(({ evidence }) => actingParties(evidence).some((party) => view.parties.has(party)))
    if (own.length === 0 || !isRead || rejected.has(marker) || byMarker.has(marker)) return []
    return [contradicted('updates', { code: 'execution-missing' }, row)]
  })
}

/** Only one of several concurrent requests commits. */
const isExpected = ({ row, evidence: { step, attempt } }: AcceptedRequest): boolean =>
  attempt === undefined &&
  row?.resolved.steps[step]?.expectations.some(
    ({ kind, situation }) => kind === 'outcome' && situation === 'accepted',
  ) === true

/** A success has its update, and a failure has none. */
export function falseCompletions({ view, marked, completions }: ReconciledRun): OracleFinding[] {
  const byMarker = new Map(marked.map(({ row, marker }) => [marker, row]))
  return completions.flatMap(({ marker, updateId, isSuccess }) => {
    const row = byMarker.get(marker)
    const isRead = row?.evidence.some((one) => actingParties(one).some((party) => view.parties.has(party)))
    if (isSuccess === view.updates.has(updateId) || !row || !isRead || effectsOf(row.resolved).length === 0) return []
    return [contradicted('completions', { code: 'completion-false', update: updateId, isSuccess }, row)]
  })
}
