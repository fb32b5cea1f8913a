/** Parties from elsewhere: what they stand for, and what the target knows of them. */
import { type JsonValue, printJson } from '../../interface/json.js'
import type { Session } from '../execute/session.js'
import type { ResolvedActor, ResolvedFixture } from '../suite/resolved-suite.js'
import { TargetError } from '../target/target.js'
import type { PresignedParty, PresignedTransaction } from '../target/target-file.js'
import { valueAt } from '../template/pointer.js'
import type { Variables } from '../template/variables.js'
import { userFor } from './actors.js'
import { administrator, type Caller, callerAs } from './caller.js'

/** The fixtures that such parties stand for: each for one with a single key of its kind. */
export function fixturesOfPresigned(
  fixtures: readonly ResolvedFixture[],
  presigned: readonly PresignedParty[],
): Map<string, PresignedParty> {
  const single = fixtures.filter(({ party }) => party?.external?.keys.length === 1)
  return new Map(
    presigned.flatMap((one) => {
      const fixture = single.find(({ party }) => party?.external?.keys[0] === one.key.kind)
      return fixture ? [[fixture.name, one] as const] : []
    }),
  )
}

/** Throws `TargetError` for a party that the target has never heard of: nothing of it could be executed there. */
export async function expectKnown(presigned: Iterable<PresignedParty>, call: Caller): Promise<void> {
  for (const { party } of presigned) {
    const details = valueAt(await call('get-party', undefined, { party }), '/partyDetails')
    const isKnown = Array.isArray(details) && details.some((one) => valueAt(one, '/party') === party)
    if (!isKnown)
      throw new TargetError(`the target file has presigned transactions of ${party}, whom the target does not know`)
  }
}

/** Transactions that may still be executed; without any, why not. */
export interface Unused {
  transactions: readonly PresignedTransaction[]
  reason: string
}

/**
 * By fixture, what no earlier run has executed: the contracts that such a transaction creates would be there. A run uses them in
 * the order of the file, so that those before an executed one are used up too. Where the target does not tell, none is used.
 */
export async function unusedTransactions(
  presigned: ReadonlyMap<string, PresignedParty>,
  actors: readonly ResolvedActor[],
  variables: Variables,
  session: Session,
): Promise<Map<string, Unused>> {
  const unused = new Map<string, Unused>()
  for (const [fixture, one] of presigned) {
    const call = callerAs(userFor(fixture, actors, variables) ?? administrator, session.transport, session.tokens)
    unused.set(fixture, await unusedOf(one, call))
  }
  return unused
}

async function unusedOf({ party, transactions }: PresignedParty, call: Caller): Promise<Unused> {
  try {
    const end = valueAt(await call('ledger-end'), '/offset')
    const seen = printJson(await call('active-contracts', contractsOf(party, end ?? 0)))
    const last = transactions.findLastIndex(({ mark }) => seen.includes(`"ping ${mark}"`))
    return {
      transactions: transactions.slice(last + 1),
      reason: `all presigned transactions of ${party} have been used`,
    }
  } catch (error) {
    if (!(error instanceof TargetError)) throw error
    const reason = `whether the presigned transactions of ${party} have been executed before cannot be told: ${error.message}`
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
