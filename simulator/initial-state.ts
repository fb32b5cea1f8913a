import { grammars, violation } from '../interface/grammars.js'
import { inputReason } from '../lib/files/file-errors.js'
import { readInput } from '../lib/files/read-input.js'
import { suggestion } from '../lib/suggest.js'
import { newUser, type PartyRightKind, type Right } from './auth/users.js'
import { LedgerError, SettingError } from './base/errors.js'
import type { InitialOptions, InitialUser, PackageFile } from './options.js'
import type { Participant } from './participant/participant.js'

/** Existing parties stay; existing users gain rights. Rejects with `StateError` and `SettingError`. */
export async function fillParticipant(participant: Participant, initial: InitialOptions): Promise<void> {
  const { state, packages = [], parties = [], users = [] } = initial
  if (state !== undefined) await restore(state, participant)
  for (const file of packages) await upload(file, participant)
  for (const hint of parties) allocate(hint, participant)
  for (const user of users) addUser(user, participant)
}

async function restore(saved: string, participant: Participant): Promise<void> {
  const { readStateDocument, restoreState } = await import('./participant/state-document.js')
  restoreState(readStateDocument(saved), participant)
}

async function upload(file: string | PackageFile, { ledger }: Participant): Promise<void> {
  const { uploadedPackages } = await import('./support/uploaded-packages.js')
  const { name, bytes } = typeof file === 'string' ? { name: file, bytes: await bytesOf(file) } : file
  try {
    const uploaded = uploadedPackages(bytes, ledger.packages)
    if (ledger.synchronizers.length === 0) ledger.upload(uploaded, undefined)
    for (const synchronizer of ledger.synchronizers) ledger.upload(uploaded, synchronizer)
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error
    const { code, cause, context = {} } = error.details
    throw new SettingError('packages', `${name}: ${code}: ${[cause, context['throwable']].filter(Boolean).join(': ')}`)
  }
}

async function bytesOf(file: string): Promise<Uint8Array> {
  try {
    return await readInput(file, 'a DAR')
  } catch (error) {
    throw new SettingError('packages', `${file} cannot be read (${inputReason(error)})`)
  }
}

/** On every synchronizer. */
function allocate(hint: string, { ledger }: Participant): void {
  const problem = violation(grammars.partyId, hint) ?? violation(grammars.uniqueParty, ledger.partyIdOf(hint))
  if (problem !== undefined) throw new SettingError('parties', problem)
  if (ledger.synchronizers.length === 0) {
    throw new SettingError(
      'parties',
      `${hint} cannot be allocated, because the participant is connected to no synchronizer`,
    )
  }
  for (const synchronizer of ledger.synchronizers) ledger.allocateParty(hint, synchronizer)
}

const rightKinds: readonly [member: 'actAs' | 'readAs' | 'executeAs', kind: PartyRightKind][] = [
  ['actAs', 'CanActAs'],
  ['readAs', 'CanReadAs'],
  ['executeAs', 'CanExecuteAs'],
]

function addUser(user: InitialUser, participant: Participant): void {
  const { id, primaryParty, rights: general = [] } = user
  const { users } = participant
  const problem = violation(grammars.userId, id)
  if (problem !== undefined) throw new SettingError('users', problem)
  const rights: Right[] = general.map((kind) => ({ kind }))
  for (const [member, kind] of rightKinds) {
    for (const party of user[member] ?? [])
      rights.push({ kind, party: partyNamed(party, `${id}: ${member}`, participant) })
  }
  const primary = primaryParty === undefined ? '' : partyNamed(primaryParty, `${id}: primaryParty`, participant)
  if (!users.find(id)) users.create({ ...newUser(id), primaryParty: primary }, [])
  else if (primary !== '') users.update(id, { primaryParty: primary })
  users.grant(id, rights)
}

/** `name`: a hint, or a full party id. */
function partyNamed(name: string, where: string, { ledger }: Participant): string {
  if (name.includes('::')) {
    const problem = violation(grammars.partyId, name)
    if (problem === undefined) return name
    throw new SettingError('users', `${where}: ${problem}`)
  }
  const party = ledger.partyIdOf(name)
  if (ledger.knowsParty(party)) return party
  const hints = ledger.parties.map((known) => known.split('::')[0] ?? '')
  const hint = suggestion(name, hints) ?? 'add it to parties'
  throw new SettingError(
    'users',
    `${where}: the participant hosts no party ${JSON.stringify(name.slice(0, 200))}; ${hint}`,
  )
}
