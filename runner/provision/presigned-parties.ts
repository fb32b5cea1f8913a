/** Parties from elsewhere: what they stand for, and what the target knows of them. */
import { type JsonValue, printJson } from '../../lib/json/json.js'
import type { ResolvedActor, ResolvedFixture } from '../suite/resolved-suite.js'
import type { ActorUsers } from '../target/actor-users.js'
import { TargetError, TargetRejection } from '../target/target.js'
import type { PresignedParty, PresignedTransaction } from '../target/target-file.js'
import { valueAt } from '../template/pointer.js'
import { userFor } from './actors.js'
import type { Caller } from './caller.js'

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
    const details = await detailsOf(party, call)
    const isKnown = details === undefined || details.some((one) => valueAt(one, '/party') === party)
    if (!isKnown)
      throw new TargetError(`the target file has presigned transactions of ${party}, whom the target does not know`)
  }
}

/** Undefined: that is not for this caller to ask. */
async function detailsOf(party: string, call: Caller): Promise<readonly JsonValue[] | undefined> {
  try {
    const details = valueAt(await call('get-party', undefined, { party }), '/partyDetails')
    return Array.isArray(details) ? details : []
  } catch (error) {
    if (error instanceof TargetRejection && error.status === 403) return undefined
    throw error
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
  actorUsers: ActorUsers,
  as: (user: string) => Caller,
): Promise<Map<string, Unused>> {
  const unused = new Map<string, Unused>()
  for (const [fixture, one] of presigned) {
    unused.set(fixture, await unusedOf(one, as(userFor(fixture, actors, actorUsers) ?? actorUsers.defaultUser)))
  }
  return unused
}

async function unusedOf({ party, transactions }: PresignedParty, call: Caller): Promise<Unused> {
  try {
    const end = valueAt(await call('ledger-end'), '/offset')
    const seen = printJson(await call('active-contracts', contractsOf(party, end ?? 0)))
    const last = transactions.findLastIndex(({ mark }) => seen.includes(`"ping-${mark}"`))
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
