/**
 * V8 limits the length of a string, so a large state is saved in lines: first the state without transactions, then all
 * completions (transactions included), acceptances and reassignments.
 */
import { createHash } from 'node:crypto'
import type { Contract } from '../ledger/contracts/contract.js'
import { enterTransaction, type LedgerState } from '../ledger/state/ledger-state.js'
import type { Completion, StoredContract } from '../ledger/transactions/transaction.js'
import type { Participant } from './participant.js'
import { checkedState, type ParticipantState, stateOf } from './participant-state.js'
import { beginningOfLines, graphOf, textOf, version } from './state-document.js'
import { StateError } from './state-error.js'

/** Transaction nodes or map entries; limits the time without a yield. */
const perLine = 500

interface Part {
  completions?: Completion[]
  /** Change ids with their last accepted transaction. */
  accepted?: [changeId: string, updateId: string][]
  moved?: [contractId: string, moves: StoredContract['reassignments']][]
}

/** Without line ends. The first `next` fixes the state. */
export function* stateLines(participant: Participant): Generator<string> {
  const digest = createHash('sha256')
  for (const line of contentLines(participant)) {
    digest.update(line)
    yield line
  }
  yield `{"digest":"${digest.digest('hex')}"}`
}

function* contentLines(participant: Participant): Generator<string> {
  const whole = stateOf(participant)
  const { ledger: state } = whole
  const emptied = { contracts: new Map(), transactions: new Map(), completions: [], acceptedChanges: new Map() }
  const rest = textOf({ ...whole, ledger: { ...state, ...emptied } })
  // Completions are immutable; their number suffices.
  const { length } = state.completions
  const accepted: [string, string][] = []
  for (const [id, { updateId }] of state.acceptedChanges) accepted.push([id, updateId])
  const moved: [string, StoredContract['reassignments']][] = []
  for (const [id, { reassignments }] of state.contracts) if (reassignments) moved.push([id, [...reassignments]])
  yield `${beginningOfLines}${version},"savedAt":"${new Date().toISOString()}"}`
  yield rest
  const nodesOf = (index: number): number => {
    const completion = state.completions[index]
    return completion && 'nodes' in completion ? completion.nodes.length + 1 : 1
  }
  for (const [from, to] of ranges(length, nodesOf)) {
    const completions = state.completions.slice(from, to)
    yield textOf({ completions } satisfies Part, { Contract: earlierThan(completions[0]?.offset ?? 0, state) })
  }
  for (const [from, to] of ranges(accepted.length)) yield textOf({ accepted: accepted.slice(from, to) } satisfies Part)
  for (const [from, to] of ranges(moved.length)) yield textOf({ moved: moved.slice(from, to) } satisfies Part)
}

function* ranges(length: number, weightOf = (_: number): number => 1): Generator<[from: number, to: number]> {
  let [from, weight] = [0, 0]
  for (let index = 0; index < length; index += 1) {
    weight += weightOf(index)
    if (weight < perLine && index + 1 < length) continue
    yield [from, index + 1]
    from = index + 1
    weight = 0
  }
}

/** The id of a contract in an earlier line. */
const earlierThan =
  (offset: number, { contracts }: LedgerState) =>
  (value: unknown): string | undefined => {
    if (typeof value !== 'object' || value === null || !('salt' in value) || !('id' in value)) return undefined
    const stored = contracts.get(String(value.id))
    return stored?.contract === value && stored.createdBy.offset < offset ? stored.contract.id : undefined
  }

/** Rejects with `StateError` and errors of `lines`. */
export async function stateInLines(lines: AsyncIterable<string>): Promise<ParticipantState> {
  const digest = createHash('sha256')
  let [count, digestIsRight] = [0, false]
  let state: ParticipantState | undefined
  for await (const line of lines) {
    count += 1
    if (digestIsRight) throw inconsistent('content follows its digest', count)
    if (count === 1) refuseVersion(line)
    else if (!state) state = checkedState(read(line, count))
    else if (line.startsWith('{')) digestIsRight = line === `{"digest":"${digest.copy().digest('hex')}"}`
    else add(read(line, count, contractsOf(state)) as Part, state.ledger) // written by `contentLines`; the digest detects other content
    digest.update(line)
  }
  if (!state || !digestIsRight) throw inconsistent('its final digest is wrong or missing', count)
  return state
}

function refuseVersion(line: string): void {
  if (line.startsWith(`${beginningOfLines}${version},`)) return
  const found = line.slice(beginningOfLines.length).split(',')[0]?.slice(0, 20)
  const problem = `lines of version ${found}, but this simulator takes version ${version}`
  throw new StateError('STATE_VERSION', `${problem}; save it again with this version`, 1)
}

const inconsistent = (problem: string, line: number): StateError =>
  new StateError('STATE_INCONSISTENT', `the state changed after it was saved: ${problem}; use the unchanged file`, line)

function read(line: string, number: number, revivers: Parameters<typeof graphOf>[1] = {}): unknown {
  try {
    return graphOf(line, revivers)
  } catch (error) {
    if (error instanceof StateError) throw error
    throw inconsistent(error instanceof Error ? error.message : String(error), number)
  }
}

const contractsOf = ({ ledger }: ParticipantState) => ({
  Contract: (id: string): Contract => {
    const found = ledger.contracts.get(id)
    if (!found) throw new Error(`no earlier line has the contract ${id.slice(0, 200)}`)
    return found.contract
  },
})

function add({ completions = [], accepted = [], moved = [] }: Part, state: LedgerState): void {
  for (const completion of completions) {
    if ('updateId' in completion) enterTransaction(completion, state)
    state.completions.push(completion)
  }
  for (const [id, updateId] of accepted) {
    const transaction = state.transactions.get(updateId)
    if (transaction) state.acceptedChanges.set(id, transaction)
  }
  for (const [id, moves] of moved) {
    const stored = state.contracts.get(id)
    if (stored && moves) stored.reassignments = moves
  }
}
