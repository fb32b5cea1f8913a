/** What the reads of a run show together: unexplained, missing and late transactions, and oracles without proof. Pure. */
import type { OracleFinding, RecordedRead } from '../../record/types/oracles.js'
import type { Evidence, RunHeader, RunRow } from '../../record/types/record.js'
import type { ResolvedRow } from '../../record/types/resolved-row.js'
import { answerOf } from '../judge/answer.js'
import { judgeEffects } from '../judge/judge-effects.js'
import { valueAt } from '../template/pointer.js'
import { activeContractFindings } from './active-contracts.js'
import { failureOf, type LedgerView, ledgerViewOf, type ShownUpdate } from './ledger-view.js'
import { anyMarker } from './markers.js'
import {
  type AcceptedRequest,
  acceptedIn,
  acceptedRead,
  actingParties,
  completionsIn,
  type MarkedRow,
  markedRows,
} from './run-requests.js'
import { vettingFindings } from './vetted-packages.js'

type Judged = Pick<RunHeader, 'run' | 'made' | 'controls' | 'repeat' | 'startedAt'>

/** Without reads, only lists that rows read are judged. */
export function judgeOracles(header: Judged, all: readonly RunRow[], reads: readonly RecordedRead[]): OracleFinding[] {
  // A resumed run keeps rows of an earlier one, whose transactions it did not read.
  const own = all.filter(({ startedAt }) => Date.parse(startedAt) >= Date.parse(header.startedAt))
  // The order of the findings must not depend on the order in which rows ended.
  const rows = own.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  return [...(reads.length > 0 ? ledgerFindings(header, rows, reads) : []), ...vettingFindings(rows)]
}

function ledgerFindings(header: Judged, rows: readonly RunRow[], reads: readonly RecordedRead[]): OracleFinding[] {
  const relying = rows.filter(reliesOnUpdates).map(({ id }) => id)
  const view = ledgerViewOf(reads, new Set(header.made?.parties))
  if (typeof view === 'string') return [unproven('updates', view, relying)]
  const run = { header, rows, view, marked: markedRows(rows), relying, accepted: acceptedIn(rows, header) }
  const [control] = reads.filter(({ operation }) => !readOperations.has(operation))
  return [
    ...controlFindings(run, control),
    ...activeContractFindings(view, relying),
    ...unexplained(run, control),
    ...laterEffects(run),
    ...lostExecutions(run),
    ...falseCompletions(run),
  ]
}

const readOperations: ReadonlySet<string> = new Set(['ledger-end', 'updates', 'active-contracts'])
const probing: ReadonlySet<string> = new Set(['updates', 'ledger-end'])

interface Reconciled {
  header: Judged
  rows: readonly RunRow[]
  view: LedgerView
  marked: readonly MarkedRow[]
  /** Ids of rows whose verdict relies on the updates. */
  relying: string[]
  accepted: readonly AcceptedRequest[]
}

export const unproven = (oracle: string, sentence: string, rows: string[]): OracleFinding => ({
  kind: 'unproven',
  oracle,
  sentence,
  rules: [],
  rows,
})

const contradicted = (oracle: string, sentence: string, row: RunRow | undefined): OracleFinding => ({
  kind: 'contradicted',
  oracle,
  sentence,
  rules: row ? effectsOf(row.resolved).flatMap(({ rules }) => rules) : [],
  rows: row ? [row.id] : [],
})

const effectsOf = ({ steps }: ResolvedRow) =>
  steps.flatMap(({ expectations }) => expectations.filter(({ kind }) => kind === 'effects'))

const reliesOnUpdates = ({ evidence, resolved }: RunRow): boolean =>
  evidence.length > 0 &&
  (effectsOf(resolved).length > 0 || resolved.steps.some(({ operation }) => probing.has(operation)))

/** An oracle must show each accepted transaction, above all the one after the last row. */
function controlFindings(
  { view, accepted, marked, relying }: Reconciled,
  control: RecordedRead | undefined,
): OracleFinding[] {
  const last = control ? acceptedRead(control.operation, control.evidence) : []
  if (control && last.length === 0)
    return [
      unproven('updates', `${failureOf(control.evidence)}, so no transaction after the last row is known`, relying),
    ]
  const owed = [...accepted, ...last].filter(({ evidence }) =>
    actingParties(evidence).some((one) => view.parties.has(one)),
  )
  const markers = new Map(marked.map(({ row, marker }) => [row, marker]))
  const answered = new Set(owed.flatMap(({ updateId }) => updateId ?? []))
  // An answer with a wrong update id reports its transaction, too. Other expectations judge the id.
  const isMisnamed = (row: RunRow | undefined): boolean => {
    const marker = row && markers.get(row)
    return (
      marker !== undefined &&
      [...view.updates.values()].some(({ id, text }) => !answered.has(id) && text.includes(marker))
    )
  }
  const missing = owed.filter(
    ({ updateId, row }) => updateId !== undefined && !view.updates.has(updateId) && !isMisnamed(row),
  )
  const [first] = missing
  if (first) {
    const more = missing.length > 1 ? `, nor ${missing.length - 1} more` : ''
    const sentence = `POST /v2/updates did not show transaction ${first.updateId}, which ${first.operation} accepted${more}`
    return [unproven('updates', sentence, relying)]
  }
  const known = last.flatMap(({ evidence, updateId = '' }) => {
    const stated = valueAt(answerOf(evidence)?.json, '/completionOffset')
    const shown = view.updates.get(updateId)?.offset
    return stated === undefined || shown === undefined || Number(stated) === shown
      ? []
      : [
          `submit-and-wait reported offset ${Number(stated)} for transaction ${updateId}, but POST /v2/updates shows offset ${shown}`,
        ]
  })
  return known.map((sentence) => unproven('updates', sentence, relying))
}

/** The parties of a run are fresh, so each of their transactions belongs to a request. */
function unexplained(
  { header, rows, view, marked, accepted }: Reconciled,
  control: RecordedRead | undefined,
): OracleFinding[] {
  // Only one repetition of a row is recorded.
  if ((header.repeat ?? 1) > 1) return []
  const last = control ? acceptedRead(control.operation, control.evidence) : []
  const answered = new Set([...accepted, ...last].flatMap(({ updateId }) => updateId ?? []))
  const marks = [...new Set(marked.map(({ marker }) => marker))].filter(
    (marker) => !marker.startsWith(`${header.run}-`),
  )
  const isExplained = ({ id, text, isOwn }: ShownUpdate): boolean =>
    !isOwn || answered.has(id) || text.includes(`${header.run}-`) || marks.some((mark) => text.includes(mark))
  const found = [...view.updates.values()].filter((update) => !isExplained(update))
  if (found.length === 0) return []
  const [first] = found
  const named = `update ${first?.id} at offset ${first?.offset}${found.length > 1 ? `, and ${found.length - 1} more` : ''}`
  const general = contradicted(
    'updates',
    `the ledger contains transactions of the run's parties that no request explains: ${named}`,
    undefined,
  )
  const blamed = found.flatMap((update) => {
    const candidates = rows.filter((row) => ranDuring(row, update.offset))
    const [row] = candidates
    return row && candidates.length === 1
      ? [
          contradicted(
            'updates',
            `while the row ran, the participant committed update ${update.id}, which no request explains`,
            row,
          ),
        ]
      : []
  })
  return [general, ...blamed]
}

/** Between the offsets that the probes of the row read. */
function ranDuring({ variables = {} }: RunRow, offset: number): boolean {
  const { begin, end } = variables
  return begin !== undefined && end !== undefined && Number(begin) < offset && offset <= Number(end)
}

/** Judges each row again with all its transactions. Rows of one presigned transaction share a marker. */
function laterEffects({ view, marked, header }: Reconciled): OracleFinding[] {
  const byMarker = updatesByMarker(
    view,
    anyMarker(
      header.run,
      marked.map(({ marker }) => marker),
    ),
  )
  const shared = new Set<string>()
  const seen = new Set<string>()
  for (const { marker } of marked) (seen.has(marker) ? shared : seen).add(marker)
  return marked.flatMap(({ row, marker }) => {
    if (shared.has(marker)) return []
    const step = row.resolved.steps.findIndex(({ expectations }) => expectations.some(({ kind }) => kind === 'effects'))
    if (!row.evidence.some((one) => one.step === step && one.role === 'act')) return []
    const evidence = [
      ...row.evidence.filter(({ role }) => role !== 'late-check'),
      excerptOf(byMarker.get(marker) ?? [], step, row),
    ]
    const unmet = judgeEffects(row.resolved, evidence, new Map([['row', marker]])).find(({ met }) => !met)
    return unmet ? [contradicted('updates', unmet.actual, row)] : []
  })
}

function updatesByMarker({ updates }: LedgerView, marker: RegExp): Map<string, ShownUpdate[]> {
  const found = new Map<string, ShownUpdate[]>()
  for (const update of updates.values())
    for (const own of new Set(update.text.match(marker))) found.set(own, [...(found.get(own) ?? []), update])
  return found
}

const excerptOf = (updates: readonly ShownUpdate[], step: number, { startedAt }: RunRow): Evidence => {
  const text = `[${updates.map((one) => one.text).join(',')}]`
  const request = { method: 'POST', url: '', headers: [] }
  const response = { status: 200, headers: [], body: { text, bytes: Buffer.byteLength(text) } }
  return { step, role: 'late-check', request, response, startedAt, milliseconds: 0 }
}

/** `execute` answers without an update id: the marker shows the transaction of an accepted request. */
function lostExecutions({ view, marked, accepted, header }: Reconciled): OracleFinding[] {
  const byMarker = updatesByMarker(
    view,
    anyMarker(
      header.run,
      marked.map(({ marker }) => marker),
    ),
  )
  const rejected = new Set(
    completionsIn(
      marked.map(({ row }) => row),
      anyMarker(
        header.run,
        marked.map(({ marker }) => marker),
      ),
    ).flatMap(({ marker, isSuccess }) => (isSuccess ? [] : [marker])),
  )
  return marked.flatMap(({ row, marker }) => {
    const own = accepted.filter((one) => one.row === row && one.updateId === undefined && isPlainlyAccepted(one))
    const isRead = own.every(({ evidence }) => actingParties(evidence).some((party) => view.parties.has(party)))
    if (own.length === 0 || !isRead || rejected.has(marker) || byMarker.has(marker)) return []
    return [contradicted('updates', 'execute accepted the request, but the ledger contains no transaction of it', row)]
  })
}

const isPlainlyAccepted = ({ row, evidence: { step, attempt } }: AcceptedRequest): boolean =>
  attempt === undefined &&
  row?.resolved.steps[step]?.expectations.some(
    ({ kind, situation }) => kind === 'outcome' && situation === 'accepted',
  ) === true

/** A success needs its update, and a failure has none. */
function falseCompletions({ rows, view, marked, header }: Reconciled): OracleFinding[] {
  const byMarker = new Map(marked.map(({ row, marker }) => [marker, row]))
  return completionsIn(
    rows,
    anyMarker(
      header.run,
      marked.map(({ marker }) => marker),
    ),
  ).flatMap(({ marker, updateId, isSuccess }) => {
    if (isSuccess === view.updates.has(updateId)) return []
    const row = byMarker.get(marker)
    if (row && !row.evidence.some((one) => actingParties(one).some((party) => view.parties.has(party)))) return []
    const sentence = isSuccess
      ? `a completion reports the success of update ${updateId}, but POST /v2/updates does not show it`
      : `a completion reports a failure, but POST /v2/updates shows its update ${updateId}`
    return [contradicted('completions', sentence, row)]
  })
}
