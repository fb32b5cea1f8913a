/** The requests of a run that may commit, as their rows recorded them. Pure. */
import { operationNamed } from '../../interface/operations.js'
import { parsed } from '../../lib/json/parsed.js'
import type { Evidence, RecordedFixture, RunRow } from '../../record/types/record.js'
import { answerOf, sentJson } from '../judge/answer.js'
import { updateIdIn } from '../judge/judge-effects.js'
import { isSuccess } from '../judge/sent-steps.js'
import { itemsAt, stringAt, valueAt } from '../template/pointer.js'

export interface AcceptedRequest {
  operation: string
  /** Absent for fixtures. */
  row?: RunRow
  evidence: Evidence
  /** Absent if the answer has none. */
  updateId?: string
}

export interface ReadCompletion {
  marker: string
  updateId: string
  isSuccess: boolean
}

/** A row that was judged by its own marker. */
export interface MarkedRow {
  row: RunRow
  marker: string
}

export function acceptedIn(
  rows: readonly RunRow[],
  { controls = [] }: { controls?: RecordedFixture[] },
): AcceptedRequest[] {
  const ofRows = rows.flatMap((row) =>
    row.evidence.flatMap((evidence) => acceptedBy(row.resolved.steps[evidence.step]?.operation ?? '', evidence, row)),
  )
  // A control is the last exchange of its fixture.
  return [...controls.flatMap(({ evidence }) => acceptedBy(operationOf(evidence), evidence)), ...ofRows]
}

export function acceptedBy(operation: string, evidence: Evidence, row?: RunRow): AcceptedRequest[] {
  if (evidence.role === 'late-check' || !operationNamed(operation)?.commits || !isSuccess(evidence)) return []
  const updateId = updateIdIn(evidence)
  return [{ operation, evidence, ...(row && { row }), ...(updateId !== undefined && { updateId }) }]
}

const operationOf = ({ request: { url } }: Evidence): string => {
  const path = URL.canParse(url) ? new URL(url).pathname : ''
  return (
    ['submit-and-wait', 'execute-and-wait-for-transaction', 'execute', 'execute-and-wait'].find((name) =>
      path.endsWith(operationNamed(name)?.path ?? ''),
    ) ?? ''
  )
}

/** Parties whose updates show the transaction of the request. */
export function actingParties(evidence: Evidence): string[] {
  const sent = sentJson(evidence)
  const signing = itemsAt(sent, '/partySignatures/signatures').map((one) => valueAt(one, '/party'))
  return [...itemsAt(sent, '/actAs'), ...signing].filter((party) => typeof party === 'string')
}

export const markedRows = (rows: readonly RunRow[]): MarkedRow[] =>
  rows.flatMap((row) => {
    const marker = parsed(row.variables?.['row'] ?? '')
    return typeof marker === 'string' && row.evidence.length > 0 ? [{ row, marker }] : []
  })

/** Rows that wait for the same completion list contain completions of other rows. */
export function completionsIn(rows: readonly RunRow[], marker: RegExp): ReadCompletion[] {
  const found = new Map<string, ReadCompletion>()
  for (const { evidence, resolved } of rows)
    for (const one of evidence) {
      if (resolved.steps[one.step]?.operation !== 'completions') continue
      for (const item of itemsAt(answerOf(one)?.json, '')) {
        const value = valueAt(item, '/completionResponse/Completion/value')
        const ids = `${stringAt(value, '/commandId')} ${stringAt(value, '/submissionId')}`
        const [own] = ids.match(marker) ?? []
        if (own === undefined) continue
        const updateId = stringAt(value, '/updateId') ?? ''
        const completion = { marker: own, updateId, isSuccess: Number(valueAt(value, '/status/code') ?? 0) === 0 }
        found.set(JSON.stringify(completion), completion)
      }
    }
  return [...found.values()]
}
