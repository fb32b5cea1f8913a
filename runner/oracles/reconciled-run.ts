/** The requests of a run beside the transactions that its ledger shows. Pure. */
import type { Reason } from '../../record/types/reason.js'
import type { OracleFinding, RunHeader, RunRow } from '../../record/types/record.js'
import type { ResolvedExpectation, ResolvedRow } from '../../record/types/resolved-row.js'
import type { LedgerView, ShownUpdate } from './ledger-view.js'
import { anyMarker } from './markers.js'
import {
  type AcceptedRequest,
  acceptedIn,
  actingParties,
  completionsIn,
  type MarkedRow,
  markedRows,
  type ReadCompletion,
} from './run-requests.js'

export type ReconciledHeader = Pick<RunHeader, 'run' | 'made' | 'controls' | 'repeat' | 'startedAt' | 'variables'>

export interface ReconciledRun {
  header: ReconciledHeader
  rows: readonly RunRow[]
  view: LedgerView
  marked: readonly MarkedRow[]
  /** Of rows and controls. */
  accepted: readonly AcceptedRequest[]
  /** Commits after the last row. Undefined if no control could be repeated. */
  control: AcceptedRequest | undefined
  /** Accepted requests, and the control, whose transaction the reads of an acting party show. */
  owed: readonly AcceptedRequest[]
  completions: readonly ReadCompletion[]
  byMarker: ReadonlyMap<string, readonly ShownUpdate[]>
  /** Ids of rows whose verdict relies on the updates. */
  relying: string[]
}

export function reconcile(
  header: ReconciledHeader,
  rows: readonly RunRow[],
  view: LedgerView,
  control: AcceptedRequest | undefined,
): ReconciledRun {
  const marked = markedRows(rows)
  const marks = marked.map(({ marker }) => marker)
  const marker = anyMarker(header.run, marks)
  const accepted = acceptedIn(rows, header)
  return {
    header,
    rows,
    view,
    marked,
    control,
    accepted,
    owed: [...accepted, ...(control ? [control] : [])].filter(({ evidence }) =>
      actingParties(evidence).some((party) => view.parties.has(party)),
    ),
    completions: completionsIn(rows, marker),
    byMarker: updatesByMarker(view, marker),
    relying: relyingRows(rows),
  }
}

function updatesByMarker({ updates }: LedgerView, marker: RegExp): Map<string, ShownUpdate[]> {
  const found = new Map<string, ShownUpdate[]>()
  for (const update of updates.values())
    for (const own of new Set(update.text.match(marker))) found.set(own, [...(found.get(own) ?? []), update])
  return found
}

const probing: ReadonlySet<string> = new Set(['updates', 'ledger-end'])

/** Rows that read the updates. A run is incomplete if a row should have read them and did not. */
export const relyingRows = (rows: readonly RunRow[]): string[] =>
  rows
    .filter(({ evidence, resolved }) =>
      evidence.some(({ role, step }) => role === 'late-check' || probing.has(resolved.steps[step]?.operation ?? '')),
    )
    .map(({ id }) => id)

/** A step of the row reads the updates. */
export const readsUpdates = ({ steps }: ResolvedRow): boolean => steps.some(({ operation }) => probing.has(operation))

export const effectsOf = ({ steps }: ResolvedRow): ResolvedExpectation[] =>
  steps.flatMap(({ expectations }) => expectations.filter(({ kind }) => kind === 'effects'))

export const unproven = (oracle: string, reason: Reason, rows: string[]): OracleFinding => ({
  kind: 'unproven',
  oracle,
  reason,
  rules: [],
  rows,
})

/** `row`: undefined if no single row is the cause. */
export const contradicted = (oracle: string, reason: Reason, row?: RunRow): OracleFinding => ({
  kind: 'contradicted',
  oracle,
  reason,
  rules: row ? effectsOf(row.resolved).flatMap(({ rules }) => rules) : [],
  rows: row ? [row.id] : [],
})
