import { type JsonValue, printJson } from '../../lib/json/json.js'
import type { Reason } from '../../record/types/reason.js'
import type { ResolvedFixture } from '../suite/resolved-suite.js'
import type { ResolvedActor } from '../suite/suite.js'
import type { ActorUsers } from '../target/actor-users.js'
import { failureOf, TargetError, TargetRejection } from '../target/target.js'
import type { PresignedParty, PresignedTransaction } from '../target/target-file.js'
import { itemsAt, valueAt } from '../template/pointer.js'
import { userFor } from './actors.js'
import type { Caller } from './caller.js'

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

/** Throws `TargetError` for an unknown party. */
export async function expectKnown(presigned: Iterable<PresignedParty>, call: Caller): Promise<void> {
  for (const { party } of presigned) {
    const details = await detailsOf(party, call)
    const isKnown = details === undefined || details.some((one) => valueAt(one, '/party') === party)
    if (!isKnown)
      throw new TargetError(
        `the target file has presigned transactions of ${party}, but the target does not know this party`,
      )
  }
}

const unreadable: ReadonlySet<number> = new Set([403, 404, 405, 501])

/** Undefined: the caller lacks the right, or the participant lacks the operation. */
async function detailsOf(party: string, call: Caller): Promise<readonly JsonValue[] | undefined> {
  try {
    return itemsAt(await call('get-party', undefined, { party }), '/partyDetails')
  } catch (error) {
    if (error instanceof TargetRejection && unreadable.has(error.status)) return undefined
    throw error
  }
}

/** `reason`: why the list is not longer. */
export interface Unused {
  transactions: readonly PresignedTransaction[]
  reason: Reason
}

/** By fixture. Runs use transactions in order: a contract shows that all before its own are used. */
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
      reason: { code: 'presigned-used', party },
    }
  } catch (error) {
    if (!(error instanceof TargetError)) throw error
    return { transactions: [], reason: { code: 'presigned-unreadable', party, because: failureOf(error) } }
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
