/** What the reads of a run show together: transactions without a request, and reads without proof. Pure. */
import type { OracleFinding, RecordedRead, RunRow } from '../../record/types/record.js'
import { activeContractFindings } from './active-contracts.js'
import { misstatedOffsets } from './completion-offsets.js'
import { consumedFixtures } from './consumed-fixtures.js'
import { completionControl, updatesControl } from './controls.js'
import { failureOf, ledgerViewOf } from './ledger-view.js'
import { type ReconciledHeader, reconcile, relyingRows, unproven } from './reconciled-run.js'
import { type AcceptedRequest, acceptedBy } from './run-requests.js'
import {
  exchangedAnswers,
  falseCompletions,
  laterEffects,
  lostExecutions,
  lostSubmissions,
  unexplained,
} from './transactions.js'
import { vettingFindings } from './vetted-packages.js'

/**
 * Without reads, only lists that rows read are judged.
 * `reads`: the exchanges after the last row. Findings change verdicts of the rows that they name.
 * @example judgeOracles(header, rows, reads) // [] for a participant whose reads show what its answers state
 */
export function judgeOracles(
  header: ReconciledHeader,
  all: readonly RunRow[],
  reads: readonly RecordedRead[],
): OracleFinding[] {
  // A resumed run keeps rows of an earlier one, whose transactions it did not read.
  const own = all.filter(({ startedAt }) => Date.parse(startedAt) >= Date.parse(header.startedAt))
  // The order of the findings must not depend on the order in which rows ended.
  const rows = own.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  return [...(reads.length > 0 ? ledgerFindings(header, rows, reads) : []), ...vettingFindings(rows)]
}

const lastReads: ReadonlySet<string> = new Set(['ledger-end', 'updates', 'active-contracts', 'completions'])

const isControl = ({ operation }: RecordedRead): boolean => !lastReads.has(operation)

/** The transaction that the run commits after the last row. */
export function acceptedControl(reads: readonly RecordedRead[]): AcceptedRequest | undefined {
  const last = reads.findLast(isControl)
  return last && acceptedBy(last.operation, last.evidence)[0]
}

function ledgerFindings(
  header: ReconciledHeader,
  rows: readonly RunRow[],
  reads: readonly RecordedRead[],
): OracleFinding[] {
  const relying = relyingRows(rows)
  const control = reads.findLast(isControl)
  const accepted = acceptedControl(reads)
  if (control && !accepted)
    return [unproven('updates', { code: 'last-commit-failed', ...failureOf(control.evidence) }, relying)]
  const view = ledgerViewOf(reads, new Set(header.made?.parties))
  if ('code' in view) return [unproven('updates', view, relying)]
  const run = reconcile(header, rows, view, accepted)
  const blind = updatesControl(run)
  return [
    // Lists that lack facts prove no absence.
    ...(blind ? [blind] : [...lostSubmissions(run), ...lostExecutions(run), ...falseCompletions(run)]),
    ...exchangedAnswers(run),
    ...misstatedOffsets(run, reads),
    ...consumedFixtures(run),
    ...completionControl(run),
    ...activeContractFindings(view, relying),
    ...unexplained(run),
    ...laterEffects(run),
  ]
}
