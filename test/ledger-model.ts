/**
 * What a ledger has to do, in a form too simple to be wrong in the same way: contracts as sets of parties, submissions played
 * one command after the other on a copy.
 */
import fc from 'fast-check'
import type { LedgerCommand } from '../simulator/ledger/command.js'
import { stakeholders } from '../simulator/ledger/contract.js'
import type { Ledger } from '../simulator/ledger/ledger.js'
import {
  create,
  createAndExercise,
  createdIds,
  exercise,
  type LedgerWorld,
  ledgerWorld,
  outcome,
} from './ledger-world.js'

type Party = 'alice' | 'bob' | 'carol'
const parties: readonly Party[] = ['alice', 'bob', 'carol']

/** `contract` counts the contracts that were created so far, round and round. */
type Action =
  | { kind: 'note'; author: Party; readers: Party[]; archive: boolean }
  | { kind: 'joint'; first: Party; second: Party; observers: Party[] }
  | { kind: 'delegation'; principal: Party; agent: Party }
  | { kind: 'exercise'; contract: number; party: Party }
  | { kind: 'archive'; contract: number }

interface ModelSubmission {
  actAs: Party[]
  readAs: Party[]
  actions: Action[]
}

interface ModelContract {
  entity: 'Note' | 'Joint' | 'Delegation'
  signatories: Party[]
  observers: Party[]
  state: 'active' | 'archived'
}

const party = fc.constantFrom(...parties)
const some = fc.subarray([...parties])
const contract = fc.nat(12)

const action: fc.Arbitrary<Action> = fc.oneof(
  fc.record({ kind: fc.constant('note' as const), author: party, readers: some, archive: fc.boolean() }),
  fc.record({ kind: fc.constant('joint' as const), first: party, second: party, observers: some }),
  fc.record({ kind: fc.constant('delegation' as const), principal: party, agent: party }),
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('exercise' as const), contract, party }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('archive' as const), contract }) },
)

/** Sequences of submissions, most of which could be accepted. */
export const submissions: fc.Arbitrary<ModelSubmission[]> = fc.array(
  fc.record({
    actAs: fc.oneof(fc.constant<Party[]>([...parties]), fc.subarray([...parties], { minLength: 1 })),
    readAs: some,
    actions: fc.array(action, { minLength: 1, maxLength: 4 }),
  }),
  { minLength: 1, maxLength: 14 },
)

class Refused extends Error {
  readonly code: string

  constructor(code: string) {
    super(code)
    this.code = code
  }
}

const within = (inner: readonly Party[], outer: readonly Party[]): boolean =>
  inner.every((item) => outer.includes(item))
const distinct = (list: readonly Party[]): Party[] => [...new Set(list)].sort()

/** A submission that is being played, on copies of the contracts. */
class Attempt {
  readonly contracts: ModelContract[]
  readonly #before: readonly ModelContract[]
  readonly #submission: ModelSubmission

  constructor(before: readonly ModelContract[], submission: ModelSubmission) {
    this.contracts = before.map((item) => ({ ...item }))
    this.#before = before
    this.#submission = submission
  }

  perform(item: Action): void {
    if (item.kind === 'joint') this.#add('Joint', [item.first, item.second], item.observers)
    else if (item.kind === 'delegation') this.#add('Delegation', [item.principal], [item.agent])
    else if (item.kind === 'note') {
      const index = this.#add('Note', [item.author], item.readers)
      if (item.archive) this.#archive(index)
    } else if (item.kind === 'archive') this.#archive(item.contract % this.#before.length)
    else this.#exercise(item.contract % this.#before.length, item.party)
  }

  #exercise(index: number, party: Party): void {
    const entity = this.#before[index]?.entity
    if (entity === 'Note') this.#archive(index)
    else if (entity === 'Joint') this.#use(index, () => [party], true)
    else this.#createFor(index)
  }

  #createFor(index: number): void {
    this.#use(index, ({ signatories, observers }) => (observers.length > 0 ? observers : signatories), false)
    // The principal's authority comes with the contract.
    const { signatories = [], observers = [] } = this.contracts[index] ?? {}
    this.#add('Note', signatories, observers, signatories)
  }

  #archive(index: number): void {
    this.#use(index, ({ signatories }) => signatories, true)
  }

  #add(
    entity: ModelContract['entity'],
    signatories: Party[],
    readers: Party[],
    given = this.#submission.actAs,
  ): number {
    if (!within(signatories, given)) throw new Refused('DAML_AUTHORIZATION_ERROR')
    const observers = distinct(readers).filter((item) => !signatories.includes(item))
    return this.contracts.push({ entity, signatories: distinct(signatories), observers, state: 'active' }) - 1
  }

  #use(index: number, controllers: (found: ModelContract) => Party[], consuming: boolean): void {
    const { actAs, readAs } = this.#submission
    const found = this.contracts[index]
    const seeing = [...actAs, ...readAs].filter(
      (item) => found?.signatories.includes(item) || found?.observers.includes(item),
    )
    const isGone = this.#before[index]?.state === 'archived'
    if (!found || seeing.length === 0 || isGone) throw new Refused('CONTRACT_NOT_FOUND')
    if (found.state === 'archived') throw new Refused('CONTRACT_NOT_ACTIVE')
    if (!within(controllers(found), actAs)) throw new Refused('DAML_AUTHORIZATION_ERROR')
    if (consuming) found.state = 'archived'
  }
}

/** The contracts as they are after a submission, or the code of its refusal. */
function predict(before: readonly ModelContract[], submission: ModelSubmission): ModelContract[] | string {
  const attempt = new Attempt(before, submission)
  try {
    for (const item of submission.actions) attempt.perform(item)
  } catch (error) {
    if (error instanceof Refused) return error.code
    throw error
  }
  return attempt.contracts
}

const choices = { Note: 'Archive', Joint: 'Leave', Delegation: 'CreateFor' } as const

/** The same action as a command; `ids` are those of the contracts that were created so far. */
function commandFor(
  item: Action,
  ids: readonly string[],
  contracts: readonly ModelContract[],
  world: LedgerWorld,
): LedgerCommand {
  if (item.kind === 'note') {
    const note = { author: world[item.author], readers: item.readers.map((name) => world[name]), text: '' }
    return item.archive ? createAndExercise(['Note', 'Archive'], note) : create('Note', note)
  }
  if (item.kind === 'joint') {
    const observers = item.observers.map((name) => world[name])
    return create('Joint', { first: world[item.first], second: world[item.second], observers })
  }
  if (item.kind === 'delegation') {
    return create('Delegation', { principal: world[item.principal], agent: world[item.agent] })
  }
  const index = item.contract % ids.length
  const entity = contracts[index]?.entity ?? 'Note'
  if (item.kind === 'archive') return exercise(ids[index] ?? '', [entity, 'Archive'])
  const argument = { Note: {}, Joint: { party: world[item.party] }, Delegation: { text: '' } }[entity]
  return exercise(ids[index] ?? '', [entity, choices[entity]], argument)
}

export const activeIds = (ledger: Ledger): string[] =>
  ledger
    .activeAt(ledger.end)
    .map((stored) => stored.contract.id)
    .sort()

/** Everything about a ledger that a submission could change. */
const snapshot = (ledger: Ledger) => ({
  end: ledger.end,
  active: activeIds(ledger),
  transactions: ledger.transactionsBetween(0, ledger.end).length,
})

/** Plays the submissions on a ledger and on the model; throws where they part. */
export function checkAgainstModel(all: readonly ModelSubmission[]): void {
  const world = ledgerWorld()
  const { ledger } = world
  const ids = [world.create(world.alice, 'Note', { author: world.alice, readers: [], text: '' })]
  let contracts: ModelContract[] = [{ entity: 'Note', signatories: ['alice'], observers: [], state: 'active' }]
  for (const [index, submission] of all.entries()) {
    const { actAs, readAs, actions } = submission
    const before = snapshot(ledger)
    const predicted = predict(contracts, submission)
    const commands = actions.map((item) => commandFor(item, ids, contracts, world))
    const found = outcome(() => {
      const transaction = world.submit(
        actAs.map((name) => world[name]),
        commands,
        { readAs: readAs.map((name) => world[name]) },
      )
      ids.push(...createdIds(transaction))
    })
    const expected = typeof predicted === 'string' ? predicted : 'accepted'
    expectSame(`outcome of submission ${index}`, found, expected)
    if (typeof predicted === 'string') expectSame(`ledger after refused submission ${index}`, snapshot(ledger), before)
    else contracts = predicted
    expectSame(`contracts after submission ${index}`, shown(ledger, ids), modelled(contracts, ids, world))
  }
}

/** Active contracts and who may see them, per party. */
function shown(ledger: Ledger, ids: readonly string[]): string[] {
  return ledger
    .activeAt(ledger.end)
    .map(
      ({ contract }) =>
        `${ids.indexOf(contract.id)} ${contract.template.entity} ${stakeholders(contract).sort().join()}`,
    )
    .sort()
}

function modelled(contracts: readonly ModelContract[], ids: readonly string[], world: LedgerWorld): string[] {
  if (contracts.length !== ids.length) throw new Error(`${contracts.length} contracts modelled, ${ids.length} created`)
  return contracts
    .flatMap(({ entity, signatories, observers, state }, index) => {
      const seeing = [...signatories, ...observers].map((name) => world[name]).sort()
      return state === 'active' ? [`${index} ${entity} ${seeing.join()}`] : []
    })
    .sort()
}

function expectSame(what: string, found: unknown, expected: unknown): void {
  const [here, there] = [JSON.stringify(found), JSON.stringify(expected)]
  if (here !== there) throw new Error(`${what}: ${here} found, ${there} expected`)
}
