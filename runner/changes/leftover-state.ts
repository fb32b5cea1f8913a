import { printJson } from '../../lib/json/json.js'
import type { Permission } from '../../record/types/effects.js'
import type { GrantedRights } from '../provision/actors.js'
import type { Caller } from '../provision/caller.js'
import type { Discovery } from '../provision/discover.js'
import { userPrefix } from '../target/actor-users.js'
import type { Permissions } from '../target/permissions.js'
import { TargetError } from '../target/target.js'
import { type LeftJournal, leftJournals, removeJournal } from './journal.js'
import {
  applyVetting,
  differenceInWords,
  type Restored,
  readVetting,
  type VettingDifference,
  vettingDifferences,
} from './vetting-state.js'
import { withdrawRights } from './withdraw-rights.js'

interface Participant {
  participantId: string | undefined
  synchronizerIds: readonly string[]
  url: string
}

/** Ignores journals of other participants. Removes completed journals. */
export async function restoreLeftoverState(
  journals: readonly LeftJournal[],
  participant: Participant,
  call: Caller,
  allowed: Permissions,
): Promise<Restored> {
  const all: Restored = { repaired: [], left: [] }
  for (const journal of journals.filter((one) => isOf(one, participant))) {
    const { repaired, left } = await restore(journal, participant, call, allowed)
    all.repaired.push(...repaired)
    all.left.push(...left)
    // A dry run takes no lock, so the journal may be that of a run in progress.
    if (left.length === 0 && allowed.size > 0) await removeJournal(journal)
  }
  return all
}

/** Compares the URL if a participant id is unknown. */
const isOf = ({ participantId, url }: LeftJournal, participant: Participant): boolean =>
  participantId === undefined || participant.participantId === undefined
    ? url === participant.url
    : participantId === participant.participantId

async function restore(
  journal: LeftJournal,
  participant: Participant,
  call: Caller,
  allowed: Permissions,
): Promise<Restored> {
  const run = `The ${journal.isKept ? '' : 'interrupted '}run ${nameOf(journal)}`
  const repaired: string[] = []
  const left: string[] = []
  const expectAllowed = (permission: Permission): void => {
    if (allowed.has(permission)) return
    throw new TargetError(`the permission ${permission} is missing; run conform clean to restore it`)
  }
  const attempt = async (what: string, restoreIt: () => Promise<string[]>): Promise<void> => {
    try {
      repaired.push(...(await restoreIt()))
    } catch (error) {
      if (!(error instanceof TargetError)) throw error
      left.push(`${run} left ${what}, and it is not restored: ${error.message}`)
    }
  }
  if (Object.keys(journal.vetting).length > 0)
    await attempt('a changed vetting', () =>
      restoreJournalled(journal, participant, call, () => expectAllowed('topology')),
    )
  for (const given of journal.given) {
    const { user, isMade } = given
    await attempt(isMade ? `the user ${user}` : `rights of the user ${user}`, async () => {
      expectOwn(given, journal)
      expectAllowed('write')
      if (!(await withdrawRights(given, call, () => true))) return []
      return [
        isMade
          ? `${run} left the user ${user}. The user is now deactivated and has no rights.`
          : `${run} left rights of the user ${user}. They are now revoked.`,
      ]
    })
  }
  return { repaired, left }
}

/** A journal may be forged. Workers of `explore` append a number to the run id. */
function expectOwn({ user, isMade, rights }: GrantedRights, { run }: LeftJournal): void {
  // Only a checked id becomes a pattern.
  const id = /^[0-9a-f]{4,}$/.test(run) ? `${run}\\d*` : '$^'
  const isOwn = isMade
    ? new RegExp(`^${userPrefix(id)}`).test(user)
    : rights.every((right) => new RegExp(`-${id}::`).test(printJson(right)))
  if (!isOwn) throw new TargetError('the run did not create it; remove changes.ndjson from the folder of the run')
}

async function restoreJournalled(
  journal: LeftJournal,
  participant: Participant,
  call: Caller,
  expectAllowed: () => void,
): Promise<string[]> {
  const before = await readDifferences(journal, participant.synchronizerIds, call)
  if (before.length === 0) return []
  expectAllowed()
  await applyVetting(before, call)
  const after = await readDifferences(journal, participant.synchronizerIds, call)
  if (after.length > 0) throw new TargetError(after.map(differenceInWords).join('; '))
  return before.map(
    (one) =>
      `The interrupted run ${nameOf(journal)} changed the vetting: ${differenceInWords(one)}. The vetting is restored.`,
  )
}

function readDifferences(
  { vetting, participantId = '', watched }: LeftJournal,
  synchronizerIds: readonly string[],
  call: Caller,
): Promise<VettingDifference[]> {
  const wanted = Object.fromEntries(Object.entries(vetting).filter(([id]) => synchronizerIds.includes(id)))
  return readVetting(participantId, Object.keys(wanted), new Set(watched), call).then((found) =>
    vettingDifferences(wanted, found),
  )
}

const nameOf = ({ run, at }: LeftJournal): string => `${run} (${at.slice(0, 16).replace('T', ' ')})`

export async function listLeftoverState(results: string, discovery: Discovery, call: Caller): Promise<string[]> {
  const { participantId, synchronizerIds } = discovery
  const sentences: string[] = []
  for (const journal of await leftJournals(results)) {
    if (participantId === undefined || journal.participantId !== participantId) continue
    const run = `the interrupted run ${nameOf(journal)} changed the vetting`
    try {
      const differences = await readDifferences(journal, synchronizerIds, call)
      sentences.push(...differences.map((one) => `${run}: ${differenceInWords(one)}`))
    } catch (error) {
      if (!(error instanceof TargetError)) throw error
      sentences.push(`${run}, and the current state is unreadable: ${error.message}`)
    }
  }
  return sentences
}
