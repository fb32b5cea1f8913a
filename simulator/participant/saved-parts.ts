/**
 * A state without what follows from its completions: contracts and transactions. A node names an earlier contract by
 * its id.
 */
import { openPayload } from '../../daml/archive/payload.js'
import { IdentityProviders, type IdentityProvidersState } from '../auth/identity-providers.js'
import { Users, type UsersState } from '../auth/users.js'
import { StateError } from '../base/errors.js'
import type { Contract } from '../ledger/contracts/contract.js'
import { builtInPackages, type HeldPackage, PackageStore, packageIn } from '../ledger/packages/package-store.js'
import type { ClockState } from '../ledger/state/clock.js'
import type { EntropyState } from '../ledger/state/entropy.js'
import { Ledger } from '../ledger/state/ledger.js'
import { enterTransaction, type LedgerState } from '../ledger/state/ledger-state.js'
import type { Completion, KeptNode, StoredContract, Transaction } from '../ledger/transactions/transaction.js'
import type { Participant } from './participant.js'

/** Bytes, or the id of a built-in package. */
type SavedPackage = Buffer | string

interface SavedLedger
  extends Omit<LedgerState, 'contracts' | 'transactions' | 'completions' | 'acceptedChanges' | 'packages'> {
  packages: SavedPackage[]
  /** Change ids with their last accepted update. */
  acceptedChanges: Map<string, string>
  /** By contract id. */
  reassignments: Map<string, NonNullable<StoredContract['reassignments']>>
}

export interface SavedParts extends Omit<ParticipantState, 'ledger'> {
  ledger: SavedLedger
}

export type SavedCompletion = Exclude<Completion, Transaction> | SavedTransaction

interface SavedTransaction extends Omit<Transaction, 'nodes'> {
  nodes: SavedNode[]
}

type SavedNode = KeptNode | (Omit<KeptNode, 'contract'> & { contract: string })

/** The completions are saved one by one. */
export function savedParts({ ledger, ...others }: ParticipantState): SavedParts {
  const { contracts, transactions: _, completions: __, acceptedChanges, packages, ...rest } = ledger
  const reassignments: SavedLedger['reassignments'] = new Map()
  for (const [id, { reassignments: moves }] of contracts) if (moves) reassignments.set(id, moves)
  return {
    ...others,
    ledger: {
      ...rest,
      packages: packages.all().map(savedPackage),
      acceptedChanges: new Map([...acceptedChanges].map(([id, { updateId }]) => [id, updateId])),
      reassignments,
    },
  }
}

/** `contracts`: of the ledger. A contract that only its discloser created stays in the node. */
export function savedCompletion(completion: Completion, contracts: LedgerState['contracts']): SavedCompletion {
  if (!('nodes' in completion)) return completion
  const nodes = completion.nodes.map((node): SavedNode => {
    const { id } = node.contract
    const isKnown = node.kind !== 'create' && contracts.get(id)?.contract === node.contract
    return isKnown ? { ...node, contract: id } : node
  })
  return { ...completion, nodes }
}

/** Takes ownership of its arguments. Throws `StateError`. */
export function stateFrom({ ledger: saved, ...others }: SavedParts, completions: SavedCompletion[]): ParticipantState {
  const { packages, acceptedChanges, reassignments, ...rest } = saved
  const ledger: LedgerState = {
    ...rest,
    packages: new PackageStore(packages.map(heldPackage)),
    contracts: new Map(),
    transactions: new Map(),
    completions: [],
    acceptedChanges: new Map(),
  }
  const known = new Map<string, Contract>()
  for (const one of completions) {
    const completion = 'nodes' in one ? { ...one, nodes: one.nodes.map((node) => keptNode(node, known)) } : one
    if ('nodes' in completion) enterTransaction(completion, ledger)
    ledger.completions.push(completion)
  }
  for (const [id, updateId] of acceptedChanges) ledger.acceptedChanges.set(id, found(ledger.transactions, updateId))
  for (const [id, moves] of reassignments) found(ledger.contracts, id).reassignments = moves
  return { ...others, ledger }
}

/** All nodes of a contract share one object. */
function keptNode(node: SavedNode, known: Map<string, Contract>): KeptNode {
  const { contract } = node
  if (typeof contract === 'string') return { ...node, contract: found(known, contract) } as KeptNode // a node with its contract
  if (node.kind === 'create') known.set(contract.id, contract)
  return node as KeptNode // it has its contract
}

function found<T>(known: ReadonlyMap<string, T>, id: string): T {
  const value = known.get(id)
  if (value !== undefined) return value
  throw new StateError('STATE_INCONSISTENT', `no earlier completion has ${id.slice(0, 200)}; use the unchanged file`)
}

const savedPackage = ({ id, bytes }: HeldPackage): SavedPackage =>
  bytes ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length) : id

function heldPackage(item: SavedPackage): HeldPackage {
  if (typeof item !== 'string') return packageIn(openPayload(item, 'a package of the state'))
  const builtIn = builtInPackages.get(item)
  if (builtIn) return builtIn
  const problem = `this simulator knows no package ${item}, which the state has`
  throw new StateError('STATE_INCONSISTENT', `${problem}; save it again with this version`)
}

export interface ParticipantState {
  ledger: LedgerState
  users: UsersState
  identityProviders: IdentityProvidersState
  entropy: EntropyState
  clock: ClockState
}

/** Shared with the participant. */
export const stateOf = (participant: Participant): ParticipantState => ({
  ledger: participant.ledger.state,
  users: participant.users.state,
  identityProviders: participant.identityProviders.state,
  entropy: participant.entropy.state,
  clock: participant.clock.state,
})

/** Takes ownership of `state`. Operations in progress finish on the earlier state. */
export function takeState(state: ParticipantState, participant: Participant): void {
  const { clock, entropy, ledger: former } = participant
  clock.restore(state.clock)
  Object.assign(entropy.state, state.entropy)
  participant.ledger = new Ledger(clock, entropy, state.ledger, former.decisions)
  participant.users = new Users(state.users)
  participant.identityProviders = new IdentityProviders(state.identityProviders)
  // Otherwise its readers wait forever.
  former.changes.announce()
}
