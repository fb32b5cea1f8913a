/** What distinguishes a row: the change of its request, or its token. */
import { firstOf } from '../../lib/first-of.js'
import type { LateEdit, ResolvedRow, ResolvedStep } from '../../record/types/resolved-row.js'
import { cut } from './hostile-text.js'

const namedChanges = 2
const longestValue = 60

/** `tapsMaxPasses: true`, `without contractId`, `an expired token`; otherwise the last part of the id in words. */
export function changeText(row: ResolvedRow): string {
  const tested = row.steps.find(({ role }) => role === 'act')
  const changes = tested ? changesOf(tested, row.row.replaceAll('-', ' ')) : []
  if (changes.length === 0) return row.row.replaceAll('-', ' ')
  return firstOf(changes, namedChanges, (left) => `${left} more`).join(', ')
}

/** `name`: for values that are too long to show. */
function changesOf({ changes = [], token, request }: ResolvedStep, name: string): string[] {
  const { body, method } = request
  return [
    ...changes.map((edit) => editInWords(edit, name)),
    ...(token && token.name !== 'none' ? [token.meaning] : []),
    ...(token?.name === 'none' && request.headers['authorization'] === undefined ? ['no token'] : []),
    ...(body && 'text' in body ? [`body ${cut(JSON.stringify(body.text), longestValue)}`] : []),
    ...(method === 'POST' ? [] : [`method ${method}`]),
  ]
}

function editInWords(edit: LateEdit, name: string): string {
  if (!('set' in edit)) return `without ${memberName(edit.at)}`
  const value = JSON.stringify(edit.set)
  return `${memberName(edit.at)}: ${value.length > longestValue ? name : value}`
}

/** `/commands/0` is `commands/0`, `/a/b/contractId` is `contractId`. */
function memberName(pointer: string): string {
  const parts = pointer.split('/').slice(1)
  const last = parts.at(-1) ?? 'body'
  const name = /^\d+$/.test(last) ? parts.slice(-2).join('/') : last
  return name.replaceAll('~1', '/').replaceAll('~0', '~')
}
