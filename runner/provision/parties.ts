import type { Reason } from '../../record/types/reason.js'
import type { Evidence } from '../../record/types/record.js'
import { type KeyRing, keyVariable } from '../sign/signing-key.js'
import type { ResolvedFixture } from '../suite/resolved-suite.js'
import type { ExternalKeys } from '../suite/suite.js'
import { failureOf, TargetError, TargetRejection } from '../target/target.js'
import type { PresignedParty } from '../target/target-file.js'
import { stringAt } from '../template/pointer.js'
import type { Caller } from './caller.js'
import { declinedParty, declinedReason } from './declined-fixtures.js'
import { onboard } from './external-party.js'

/** Causes by fixture. */
export interface UnmadeFixtures {
  failed: ReadonlyMap<string, Reason>
  declined: ReadonlyMap<string, Reason>
}

export interface Parties extends UnmadeFixtures {
  variables: ReadonlyMap<string, string>
  made: readonly string[]
}

/** Throws `TargetError` if a local party fails. */
export async function allocateParties(
  fixtures: readonly ResolvedFixture[],
  allocation: Allocation,
  keys: KeyRing,
  call: Caller,
): Promise<Parties> {
  const variables = new Map<string, string>()
  const failed = new Map<string, Reason>()
  const declined = new Map<string, Reason>()
  const made: string[] = []
  const { run, synchronizerId, others, presigned, named } = allocation
  const wanted = new Set(partiesToAllocate(fixtures, allocation))
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
      // The request must name one of several synchronizers.
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
        const refusal = allocation.mayRefuseKeys ? refusalIn(error) : undefined
        const because = refusal && declinedParty(refusal)
        if (because) declined.set(name, declinedReason(name, because))
        else failed.set(name, { code: 'fixture-failed', fixture: name, because: failureOf(error) })
      }
    }
  }
  return { variables, failed, declined, made }
}

const refusalIn = (error: TargetError): Evidence | undefined =>
  error instanceof TargetRejection ? error.evidence : undefined

export interface Allocation {
  run: string
  synchronizerId: string
  others: readonly string[]
  needed: ReadonlySet<string>
  /** By fixture. */
  presigned: ReadonlyMap<string, PresignedParty>
  /** By fixture. */
  named: ReadonlyMap<string, string>
  canAllocate: boolean
  canOnboard: boolean
  /** A rejected key is no failure. */
  mayRefuseKeys?: boolean
}

export const partiesToAllocate = (
  fixtures: readonly ResolvedFixture[],
  { needed, presigned, named, canAllocate, canOnboard }: Allocation,
): ResolvedFixture[] =>
  fixtures.filter(({ name, party }) => {
    if (!party || named.has(name)) return false
    if (party.external) return canOnboard && needed.has(name) && !presigned.has(name)
    return canAllocate && (!party.everywhere || needed.has(name))
  })

/** The participant completes it to the party id. */
export const partyHint = (hint: string, run: string): string => `${hint}-${run}`

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
  const id = stringAt(allocated, '/partyDetails/party')
  if (id === undefined) throw new TargetError(`allocate-party returned no party id for ${name}`)
  return id
}
