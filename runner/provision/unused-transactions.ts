/** Which given transactions an earlier run has executed: the contracts that they create are on the ledger. */
import { type JsonValue, printJson } from '../../interface/json.js'
import type { Session } from '../execute/perform-step.js'
import { valueAt } from '../pointer.js'
import { TargetError } from '../target.js'
import type { GivenParty } from '../target-file/target-file.js'
import { administrator, type Caller, callerAs } from './discover.js'
import { userFor } from './preparing.js'

/**
 * The parties with the transactions that are left, by fixture. A run uses them in the order of the file, so that those before an
 * executed one are used up too. Where the target does not tell, all are left.
 */
export async function unusedTransactions(
  given: ReadonlyMap<string, GivenParty>,
  session: Session,
): Promise<Map<string, GivenParty>> {
  const left = new Map<string, GivenParty>()
  for (const [fixture, one] of given) {
    const call = callerAs(userFor(fixture, session) ?? administrator, session.transport, session.tokens)
    const seen = await contractsOf(one.party, call)
    const last = one.transactions.findLastIndex(({ mark }) => seen.includes(`ping ${mark}`))
    left.set(fixture, { ...one, transactions: one.transactions.slice(last + 1) })
  }
  return left
}

/** All active contracts of the party, as one text. */
async function contractsOf(party: string, call: Caller): Promise<string> {
  try {
    const end = valueAt(await call('ledger-end'), '/offset')
    return printJson(await call('active-contracts', question(party, end ?? 0)))
  } catch (error) {
    if (error instanceof TargetError) return ''
    throw error
  }
}

const question = (party: string, activeAtOffset: JsonValue): JsonValue => ({
  activeAtOffset,
  eventFormat: {
    filtersByParty: {
      [party]: {
        cumulative: [{ identifierFilter: { WildcardFilter: { value: { includeCreatedEventBlob: false } } } }],
      },
    },
    verbose: false,
  },
})
