/** Whether the requests of a record are those that its plan and its variables give, and bear the markers of its seed. */
import { parseJson, printJson } from '../interface/json.js'
import type { RunRecord, RunRow } from '../record/record.js'
import { answerOf } from '../runner/judge/answer.js'
import { usesRedacted } from '../runner/judge-again.js'
import { isMarkerOf } from '../runner/markers.js'
import { valueAt } from '../runner/template/pointer.js'
import { compareRequests } from './compare-requests.js'

/** Each difference as a sentence without its full stop. What is redacted cannot be compared. */
export function checkRequests(record: RunRecord): string[] {
  return record.rows.flatMap((row) => {
    if (row.redacted || usesRedacted(row.resolved, record.header) || row.evidence.length === 0) return []
    try {
      const { differences } = compareRequests(record, row, row.resolved)
      const requests = differences.map((what) => `the request of ${what} differs from its plan`)
      return [...markerDifferences(record, row), ...requests, ...captureDifferences(row)]
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      return [`the requests of ${row.id} do not follow from the record (${why})`]
    }
  })
}

/** Rows of a run before this one have markers of their own, and so have transactions from elsewhere. */
function markerDifferences({ header }: RunRecord, { id, variables, resolved }: RunRow): string[] {
  if (header.resumes || header.merged || resolved.steps.some(({ presigned }) => presigned)) return []
  const marker = parseJson(variables?.['row'] ?? 'null')
  return typeof marker === 'string' && isMarkerOf(marker, { run: header.run, row: id, seed: header.seed })
    ? []
    : [`the marker of ${id} does not follow from the seed of the run`]
}

/** Variables that steps took from answers; where several steps take one, the last counts. */
function captureDifferences({ id, variables = {}, resolved, evidence }: RunRow): string[] {
  const captured = new Map<string, string>()
  for (const one of evidence) {
    if (one.role === 'late-look') continue
    const answer = answerOf(one)?.json
    for (const [name, pointer] of Object.entries(resolved.steps[one.step]?.capture ?? {})) {
      const value = valueAt(answer, pointer)
      if (value !== undefined) captured.set(name, printJson(value))
    }
  }
  return [...captured]
    .filter(([name, value]) => variables[name] !== undefined && variables[name] !== value)
    .map(([name]) => `the variable ${name} of ${id} is not what the answers gave`)
}
