/** Active contracts are the creations minus the archivals that the updates show. Pure. */

import { isJsonObject, type JsonValue } from '../../lib/json/json.js'
import type { OracleFinding } from '../../record/types/record.js'
import { itemsAt, stringAt, valueAt } from '../template/pointer.js'
import type { ActiveContracts, LedgerView } from './ledger-view.js'
import { unproven } from './reconciled-run.js'
import { updateIn } from './update-pages.js'

/** Blocks the rows that rely on the updates, because one of both lists is wrong. */
export function activeContractFindings(view: LedgerView, rows: string[]): OracleFinding[] {
  const isUnread = view.active.length === 0 || view.active.some(({ isWhole }) => !isWhole)
  const differences = view.active.flatMap((active) => {
    const expected = activeBy(view, active)
    const extra = [...active.ids].find((id) => !expected.has(id))
    if (extra !== undefined)
      return [unproven('active-contracts', { code: 'contract-unexplained', contract: extra }, rows)]
    const lacking = active.isWhole ? [...expected].find((id) => !active.ids.has(id)) : undefined
    return lacking === undefined
      ? []
      : [unproven('active-contracts', { code: 'contract-missing', contract: lacking }, rows)]
  })
  return [...(isUnread ? [unread] : []), ...differences]
}

const unread: OracleFinding = {
  kind: 'stated',
  oracle: 'active-contracts',
  reason: { code: 'contracts-unread' },
  rules: [],
  rows: [],
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
