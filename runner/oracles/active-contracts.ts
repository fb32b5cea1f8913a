/** Active contracts are the creations minus the archivals that the updates show. Pure. */

import { isJsonObject, type JsonValue } from '../../lib/json/json.js'
import type { OracleFinding } from '../../record/types/record.js'
import { itemsAt, stringAt, valueAt } from '../template/pointer.js'
import type { ActiveContracts, LedgerView } from './ledger-view.js'
import { updateIn } from './update-pages.js'

const unread = 'the active contracts were not read after the last row, so they were not compared with the updates'

/** Blocks the rows that rely on the updates, because one of both lists is wrong. */
export function activeContractFindings(view: LedgerView, rows: string[]): OracleFinding[] {
  if (view.active.length === 0)
    return [{ kind: 'stated', oracle: 'active-contracts', sentence: unread, rules: [], rows: [] }]
  return view.active.flatMap((active) => {
    const expected = activeBy(view, active)
    const extra = [...active.ids].filter((id) => !expected.has(id))
    const lacking = active.isWhole ? [...expected].filter((id) => !active.ids.has(id)) : []
    const sentence =
      extra.length > 0
        ? `POST /v2/state/active-contracts lists contract ${extra[0]}, but POST /v2/updates does not show that it was created and is active`
        : `POST /v2/updates shows the active contract ${lacking[0]}, which POST /v2/state/active-contracts does not list`
    if (extra.length + lacking.length === 0) return []
    return [{ kind: 'unproven' as const, oracle: 'active-contracts', sentence, rules: [], rows }]
  })
}

function activeBy({ updates }: LedgerView, { parties }: ActiveContracts): Set<string> {
  const active = new Set<string>()
  for (const { item } of [...updates.values()].toSorted((a, b) => a.offset - b.offset))
    for (const event of itemsAt(updateIn(item), '/events')) {
      const [[kind, content] = []] = isJsonObject(event) ? Object.entries(event) : []
      const id = stringAt(content, '/contractId') ?? ''
      // Other witnesses of a creation do not see the contract afterwards.
      if (kind === 'CreatedEvent' && stakeholders(content).some((party) => parties.has(party))) active.add(id)
      if (isArchival(kind, content)) active.delete(id)
    }
  return active
}

const isArchival = (kind: string | undefined, content: JsonValue | undefined): boolean =>
  kind === 'ArchivedEvent' || valueAt(content, '/consuming') === true

/** Ids of the contracts that a transaction archives. `item`: of `POST /v2/updates`. */
export const archivedIn = (item: JsonValue): string[] =>
  itemsAt(updateIn(item), '/events').flatMap((event) => {
    const [[kind, content] = []] = isJsonObject(event) ? Object.entries(event) : []
    return isArchival(kind, content) ? (stringAt(content, '/contractId') ?? []) : []
  })

const stakeholders = (event: JsonValue | undefined): string[] =>
  [...itemsAt(event, '/signatories'), ...itemsAt(event, '/observers')].filter((party) => typeof party === 'string')
