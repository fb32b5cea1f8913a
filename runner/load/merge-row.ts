import type { RawRequest } from '../suite/suite.js'
import { given } from './located.js'
import type { StepParts } from './read-step.js'

/**
 * A step with the differences of a row applied. Edits, removals, headers and expectations are merged by pointer or name,
 * with the row's own in front of the case's; whatever else the row says takes the place of what the case says.
 */
export function mergeRow(base: StepParts, row: StepParts): StepParts {
  const removed = new Set(row.remove)
  const edited = new Set(row.edit.keys())
  return {
    ...base,
    ...given({ as: row.as, token: row.token, outcome: row.outcome, status: row.status, schema: row.schema }),
    ...given({ raw: mergeRaw(base.raw, row.raw) }),
    // The row's edits come last, so that they win where they lie above or below the case's.
    edit: new Map([
      ...[...base.edit].filter(([pointer]) => !edited.has(pointer) && !removed.has(pointer)),
      ...row.edit,
    ]),
    remove: [...base.remove.filter((pointer) => !edited.has(pointer) && !removed.has(pointer)), ...row.remove],
    headers: new Map([...base.headers, ...row.headers]),
    body: new Map([...base.body, ...row.body]),
  }
}

function mergeRaw(base: RawRequest | undefined, row: RawRequest | undefined): RawRequest | undefined {
  if (!base || !row) return row ?? base
  const { text, base64, written, ...others } = base
  const body = row.text === undefined && row.base64 === undefined ? given({ text, base64, written }) : {}
  const headers = base.headers && row.headers ? { headers: { ...base.headers, ...row.headers } } : {}
  return { ...others, ...body, ...row, ...headers }
}
