/** What earlier runs left changed at a participant because they were ended: found in their journals, and put back. */

import { printJson } from '../../lib/json/json.js'
import type { Permission } from '../../record/types/effects.js'
import type { GrantedRights } from '../provision/actors.js'
import type { Caller } from '../provision/caller.js'
import type { Discovery } from '../provision/discover.js'
import { userPrefix } from '../target/actor-users.js'
import type { Permissions } from '../target/permissions.js'
import { TargetError } from '../target/target.js'
import { type LeftJournal, removeJournal } from './journal.js'
import { applyVetting, differenceInWords, readVetting, vettingDifferences } from './vetting-state.js'
import { withdrawRights } from './withdraw-rights.js'

/** What became of the journals; each text is a sentence for people. */
export interface Restored {
  /** What had been left, and is put back now. */
  repaired: string[]
  /** What is still left, and why. */
  left: string[]
}

interface Place extends Pick<Discovery, 'participantId' | 'synchronizerIds'> {
  url: string
}

/**
 * Puts back what these journals say of this participant, as far as that is allowed, and removes them. The journal of another
 * participant stays, and so does one whose changes cannot be put back. Packages and users that no journal names are nobody's
 * business here.
 */
export async function restoreLeftoverState(
  journals: readonly LeftJournal[],
  place: Place,
  call: Caller,
  allowed: Permissions,
): Promise<Restored> {
  const all: Restored = { repaired: [], left: [] }
  for (const journal of journals.filter((one) => isOf(one, place))) {
    const { repaired, left } = await repair(journal, place, call, allowed)
    all.repaired.push(...repaired)
    all.left.push(...left)
    if (left.length === 0) await removeJournal(journal)
  }
  return all
}

/** Where nobody told whose participant it was, the address has to do. */
const isOf = ({ participantId, url }: LeftJournal, place: Place): boolean =>
  participantId === undefined || place.participantId === undefined
    ? url === place.url
    : participantId === place.participantId

async function repair(journal: LeftJournal, place: Place, call: Caller, allowed: Permissions): Promise<Restored> {
  const told = toldOf(journal)
  const repaired: string[] = []
  const left: string[] = []
  const expectAllowed = (permission: Permission): void => {
    if (!allowed.has(permission)) throw new TargetError(`this run may not do that; conform clean does`)
  }
  const attempt = async (what: string, put: () => Promise<string[]>): Promise<void> => {
    try {
      repaired.push(...(await put()))
    } catch (error) {
      if (!(error instanceof TargetError)) throw error
      left.push(`${told} left ${what}, and that could not be put back: ${error.message}`)
    }
  }
  if (Object.keys(journal.vetting).length > 0)
    await attempt('packages otherwise vetted than it had found them', () =>
      repairVetting(journal, place, call, () => expectAllowed('topology')),
    )
  for (const given of journal.given) {
    const { user, isMade } = given
    const what = isMade ? `the user ${user} that it had made` : `rights to the user ${user}`
    await attempt(what, async () => {
      expectOwn(given, journal)
      expectAllowed('write')
      const wasThere = await withdrawRights(given, call, () => true)
      const now = isMade
        ? `${user}, whom it had made, has no rights now and is deactivated`
        : `${user} has no rights of it any more`
      return wasThere ? [`${told} was ended in between: ${now}.`] : []
    })
  }
  return { repaired, left }
}

/** A journal may be planted, or edited: only users and parties of its run are touched. Workers of an exploration append a number to the run. */
function expectOwn({ user, isMade, rights }: GrantedRights, { run }: LeftJournal): void {
  // Only a checked id becomes a pattern.
  const id = /^[0-9a-f]{4,}$/.test(run) ? `${run}\\d*` : '$^'
  const isOwn = isMade
    ? new RegExp(`^${userPrefix(id)}`).test(user)
    : rights.every((right) => new RegExp(`-${id}::`).test(printJson(right)))
  if (!isOwn) throw new TargetError('the run did not make this; remove the file changes.ndjson from its folder')
}

async function repairVetting(
  journal: LeftJournal,
  { synchronizerIds }: Place,
  call: Caller,
  expectAllowed: () => void,
): Promise<string[]> {
  const wanted = Object.fromEntries(Object.entries(journal.vetting).filter(([id]) => synchronizerIds.includes(id)))
  const differences = async () => {
    const { participantId = '', watched } = journal
    return vettingDifferences(wanted, await readVetting(participantId, Object.keys(wanted), new Set(watched), call))
  }
  const before = await differences()
  if (before.length === 0) return []
  expectAllowed()
  await applyVetting(before, call)
  const after = await differences()
  if (after.length > 0) throw new TargetError(after.map(differenceInWords).join('; '))
  return before.map((one) => `${toldOf(journal)} was ended in between: ${differenceInWords(one)}. It is put back now.`)
}

const toldOf = ({ run, at }: LeftJournal): string => `the run ${run} of ${at.slice(0, 16).replace('T', ' ')}`
