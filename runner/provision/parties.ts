/** Allocates the parties that cases act for, and makes the keys of those that sign for themselves. */
import type { Evidence, RecordedFixture } from '../../record/types/record.js'
import { type KeyRing, keyVariable } from '../sign/key-ring.js'
import type { ResolvedFixture } from '../suite/resolved-suite.js'
import type { ExternalKeys } from '../suite/suite.js'
import { TargetError, TargetRejection } from '../target/target.js'
import type { PresignedParty } from '../target/target-file.js'
import { valueAt } from '../template/pointer.js'
import type { Caller } from './caller.js'
import { declinedParty } from './declined-fixtures.js'
import { onboard } from './external-party.js'

export interface Parties {
  /** Ids of parties, and fingerprints of their keys. */
  variables: ReadonlyMap<string, string>
  /** Fixtures that could not be made, each with the cause. */
  failed: ReadonlyMap<string, string>
  /** Fixtures that the target refused as it may, each with the cause. */
  declined: ReadonlyMap<string, string>
  /** The exchange that shows each of these. */
  refusals: readonly RecordedFixture[]
  /** Ids of those that were not there before. */
  made: readonly string[]
}

/**
 * Allocates the parties among the fixtures under names unique to the run, and makes their keys; those that are named are taken
 * as they are. Throws `TargetError` where a party that the participant hosts cannot be had; one that signs for itself is then a
 * fixture that failed.
 */
export async function allocateParties(
  fixtures: readonly ResolvedFixture[],
  allocation: Allocation,
  keys: KeyRing,
  call: Caller,
): Promise<Parties> {
  const variables = new Map<string, string>()
  const failed = new Map<string, string>()
  const declined = new Map<string, string>()
  const refusals: RecordedFixture[] = []
  const made: string[] = []
  const { run, synchronizerId, others, presigned, named } = allocation
  const wanted = new Set(partiesToMake(fixtures, allocation))
  for (const fixture of fixtures) {
    const { name, party, key } = fixture
    if (key) variables.set(name, keys.make(key).fingerprint)
    if (!party) continue
    const hint = partyHint(party.hint, run)
    const known = named.get(name)
    if (known !== undefined) {
      variables.set(name, known)
      continue
    }
    if (!party.external) {
      if (!wanted.has(fixture)) continue
      // One of several has to be said.
      const allocated = await allocate(name, hint, others.length > 0 ? synchronizerId : '', call)
      if (party.everywhere) for (const other of others.slice(0, 1)) await allocate(name, hint, other, call)
      variables.set(name, allocated)
      made.push(allocated)
      continue
    }
    const own = presigned.get(name)
    if (own) {
      keys.add(own.key)
      variables.set(name, own.party)
      variables.set(keyVariable(name, 0), own.key.fingerprint)
    } else if (wanted.has(fixture)) {
      try {
        const found = await allocateExternal(name, hint, party.external, synchronizerId, keys, call)
        for (const [variable, value] of found) variables.set(variable, value)
        made.push(found.get(name) ?? '')
      } catch (error) {
        if (!(error instanceof TargetError)) throw error
        const refusal = allocation.keysAreOpen ? refusalIn(error) : undefined
        const cause = refusal && declinedParty(refusal)
        if (refusal && cause !== undefined) {
          declined.set(name, cause)
          refusals.push({ fixture: name, evidence: refusal })
        } else failed.set(name, `the fixture ${name} could not be made: ${error.message}`)
      }
    }
  }
  return { variables, failed, declined, refusals, made }
}

const refusalIn = (error: TargetError): Evidence | undefined =>
  error instanceof TargetRejection ? error.evidence : undefined

export interface Allocation {
  run: string
  synchronizerId: string
  /** Further synchronizers that the target is connected to. */
  others: readonly string[]
  /** Fixtures that the run uses; parties with keys of their own, and those on several synchronizers, are only made then. */
  needed: ReadonlySet<string>
  /** Parties from elsewhere, by the fixtures that they stand for. */
  presigned: ReadonlyMap<string, PresignedParty>
  /** Parties that are there already, by the fixtures that they stand for. */
  named: ReadonlyMap<string, string>
  /** Parties can be made: such as the participant hosts, and such as sign for themselves. */
  allocates: boolean
  onboards: boolean
  /** By the text, which names no kinds of keys, a target may refuse a party for those that it has. */
  keysAreOpen: boolean
}

/** The fixtures for whose parties there is nobody yet. */
export const partiesToMake = (
  fixtures: readonly ResolvedFixture[],
  { needed, presigned, named, allocates, onboards }: Allocation,
): ResolvedFixture[] =>
  fixtures.filter(({ name, party }) => {
    if (!party || named.has(name)) return false
    if (party.external) return onboards && needed.has(name) && !presigned.has(name)
    return allocates && (!party.everywhere || needed.has(name))
  })

/** How a party of a run is called before the participant has its say. */
export const partyHint = (hint: string, run: string): string => `${hint}-${run}`

/** The party and the fingerprints of its keys, as variables. */
async function allocateExternal(
  name: string,
  hint: string,
  { keys: kinds, threshold }: ExternalKeys,
  synchronizerId: string,
  ring: KeyRing,
  call: Caller,
): Promise<Map<string, string>> {
  const [kind, ...more] = kinds
  const keys = [ring.make(kind), ...more.map((other) => ring.make(other))] as const
  const party = await onboard({ hint, keys, threshold }, synchronizerId, call)
  const fingerprints = keys.map(({ fingerprint }, index): [string, string] => [keyVariable(name, index), fingerprint])
  return new Map([[name, party], ...fingerprints])
}

async function allocate(name: string, hint: string, synchronizerId: string, call: Caller): Promise<string> {
  const allocated = await call('allocate-party', {
    partyIdHint: hint,
    identityProviderId: '',
    synchronizerId,
    userId: '',
  })
  const id = valueAt(allocated, '/partyDetails/party')
  if (typeof id !== 'string') throw new TargetError(`the answer to the allocation of party ${name} names no party`)
  return id
}
