/** Parties from elsewhere: what they stand for, and what the target knows of them. */
import { type JsonValue, printJson } from '../../interface/json.js'
import type { Session } from '../execute/perform-step.js'
import { valueAt } from '../template/pointer.js'
import type { Suite } from '../suite/suite.js'
import { TargetError } from '../target/target.js'
import type { GivenParty, GivenTransaction } from '../target/target-file.js'
import { userFor } from './actors.js'
import { administrator, type Caller, callerAs } from './discover.js'

/** The fixtures that given parties stand for: each for one with a single key of its kind. */
export function fixturesOfGiven(suite: Suite, given: readonly GivenParty[]): Map<string, GivenParty> {
  const single = [...suite.fixtures.values()].filter(({ party }) => party?.external?.keys.length === 1)
  return new Map(
    given.flatMap((one) => {
      const fixture = single.find(({ party }) => party?.external?.keys[0] === one.key.kind)
      return fixture ? [[fixture.name, one] as const] : []
    }),
  )
}

/** Throws `TargetError` for a party that the target has never heard of: nothing of it could be executed there. */
export async function expectKnown(given: Iterable<GivenParty>, call: Caller): Promise<void> {
  for (const { party } of given) {
    const details = valueAt(await call('get-party', undefined, { party }), '/partyDetails')
    const isKnown = Array.isArray(details) && details.some((one) => valueAt(one, '/party') === party)
    if (!isKnown) throw new TargetError(`the target file gives transactions of ${party}, whom the target does not know`)
  }
}

/** Transactions that may still be executed; without any, why not. */
export interface Unused {
  transactions: readonly GivenTransaction[]
  reason: string
}

/**
 * By fixture, what no earlier run has executed: the contracts that a given transaction creates would be there. A run uses them in
 * the order of the file, so that those before an executed one are used up too. Where the target does not tell, none is used.
 */
export async function unusedTransactions(
  given: ReadonlyMap<string, GivenParty>,
  session: Session,
): Promise<Map<string, Unused>> {
  const unused = new Map<string, Unused>()
  for (const [fixture, one] of given) {
    const call = callerAs(userFor(fixture, session) ?? administrator, session.transport, session.tokens)
    unused.set(fixture, await unusedOf(one, call))
  }
  return unused
}

async function unusedOf({ party, transactions }: GivenParty, call: Caller): Promise<Unused> {
  try {
    const end = valueAt(await call('ledger-end'), '/offset')
    const seen = printJson(await call('active-contracts', contractsOf(party, end ?? 0)))
    const last = transactions.findLastIndex(({ mark }) => seen.includes(`"ping ${mark}"`))
    return {
      transactions: transactions.slice(last + 1),
      reason: `all transactions that were given for ${party} have been used`,
    }
  } catch (error) {
    if (!(error instanceof TargetError)) throw error
    const reason = `whether the transactions that were given for ${party} have been executed before cannot be told: ${error.message}`
    return { transactions: [], reason }
  }
}

const contractsOf = (party: string, activeAtOffset: JsonValue): JsonValue => ({
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
