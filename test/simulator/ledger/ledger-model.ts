/** A simple independent model of a ledger: contracts are sets of parties, and commands run one by one on a copy. */
import fc from '../../support/records/properties.js'

export type PartyName = 'alice' | 'bob' | 'carol'
const parties: readonly PartyName[] = ['alice', 'bob', 'carol']

/** `contract` is an index, modulo the number of contracts that were created so far. */
export type Action =
  | { kind: 'note'; author: PartyName; readers: PartyName[]; archive: boolean }
  | { kind: 'joint'; first: PartyName; second: PartyName; observers: PartyName[] }
  | { kind: 'delegation'; principal: PartyName; agent: PartyName }
  | { kind: 'keyed'; owner: PartyName; observers: PartyName[]; id: KeyId }
  | { kind: 'byKey'; owner: PartyName; id: KeyId; choice: 'Read' | 'Close' | 'Rekey' }
  | { kind: 'exercise'; contract: number; party: PartyName }
  | { kind: 'archive'; contract: number }

type KeyId = 'k' | 'l'

/** The result of `Rekey`. */
export const otherKey = { k: 'l', l: 'k' } as const

export interface ModelSubmission {
  /** Undefined: a unique one. */
  commandId: string | undefined
  userId: string
  actAs: PartyName[]
  readAs: PartyName[]
  actions: Action[]
}

export interface ModelContract {
  entity: 'Note' | 'Joint' | 'Delegation' | 'Keyed'
  signatories: PartyName[]
  observers: PartyName[]
  key?: KeyId
  state: 'active' | 'archived'
}

export interface ModelLedger {
  contracts: ModelContract[]
  /** Change ids of accepted submissions. */
  changes: ReadonlySet<string>
}

const party = fc.constantFrom(...parties)
const some = fc.subarray([...parties])
const contract = fc.nat(12)
// Most keys are equal and belong to alice, so that lookups find them.
const owner = fc.oneof({ weight: 5, arbitrary: fc.constant<PartyName>('alice') }, party)
const id = fc.oneof({ weight: 3, arbitrary: fc.constant<KeyId>('k') }, fc.constant<KeyId>('l'))
const choice = fc.constantFrom('Read' as const, 'Close' as const, 'Rekey' as const)

const action: fc.Arbitrary<Action> = fc.oneof(
  fc.record({ kind: fc.constant('note' as const), author: party, readers: some, archive: fc.boolean() }),
  fc.record({ kind: fc.constant('joint' as const), first: party, second: party, observers: some }),
  fc.record({ kind: fc.constant('delegation' as const), principal: party, agent: party }),
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('keyed' as const), owner, observers: some, id }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('byKey' as const), owner, id, choice }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('exercise' as const), contract, party }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('archive' as const), contract }) },
)

/** In any order, with repetitions, because acting parties are a set. */
const listed = fc
  .tuple(fc.shuffledSubarray([...parties], { minLength: 1 }), fc.boolean())
  .map(([names, twice]) => (twice ? [...names, ...names.slice(0, 1)] : names))

/** Most of them can be accepted. */
export const submissions: fc.Arbitrary<ModelSubmission[]> = fc.array(
  fc.record({
    commandId: fc.option(fc.constantFrom('one', 'two'), { nil: undefined, freq: 3 }),
    userId: fc.oneof({ weight: 4, arbitrary: fc.constant('user') }, fc.constant('other')),
    actAs: fc.oneof(fc.constant<PartyName[]>([...parties]), listed),
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

const within = (inner: readonly PartyName[], outer: readonly PartyName[]): boolean =>
  inner.every((item) => outer.includes(item))
const distinct = (list: readonly PartyName[]): PartyName[] => [...new Set(list)].sort()

type NewContract = Omit<ModelContract, 'state'>

function newContract(item: Action & { kind: 'note' | 'joint' | 'delegation' | 'keyed' }): NewContract {
  switch (item.kind) {
    case 'note':
      return { entity: 'Note', signatories: [item.author], observers: item.readers }
    case 'joint':
      return { entity: 'Joint', signatories: [item.first, item.second], observers: item.observers }
    case 'delegation':
      return { entity: 'Delegation', signatories: [item.principal], observers: [item.agent] }
    case 'keyed':
      return { entity: 'Keyed', signatories: [item.owner], observers: item.observers, key: item.id }
  }
}

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
    if (item.kind === 'byKey') this.#exerciseByKey(item)
    else if (item.kind === 'archive') this.#archive(item.contract % this.#before.length)
    else if (item.kind === 'exercise') this.#exercise(item.contract % this.#before.length, item.party)
    else {
      const index = this.#add(newContract(item))
      if (item.kind === 'note' && item.archive) this.#archive(index)
    }
  }

  #exercise(index: number, party: PartyName): void {
    const entity = this.#before[index]?.entity
    if (entity === 'Note') this.#archive(index)
    else if (entity === 'Joint') this.#use(index, () => [party], true)
    else if (entity === 'Keyed') this.#use(index, ({ signatories }) => signatories, false)
    else this.#createFor(index)
  }

  #createFor(index: number): void {
    this.#use(index, ({ signatories, observers }) => (observers.length > 0 ? observers : signatories), false)
    // The contract gives the principal's authority.
    const { signatories = [], observers = [] } = this.contracts[index] ?? {}
    this.#add({ entity: 'Note', signatories, observers }, signatories)
  }

  /** Keys are not unique: the latest active and visible contract counts. */
  #exerciseByKey({ owner, id: key, choice: name }: Action & { kind: 'byKey' }): void {
    const index = this.contracts.findLastIndex(
      (item) => item.key === key && item.signatories[0] === owner && item.state === 'active' && this.#sees(item),
    )
    const found = this.contracts[index]
    if (!found) throw new Refused('CONTRACT_KEY_NOT_FOUND')
    this.#use(index, ({ signatories }) => signatories, name !== 'Read')
    if (name === 'Rekey') this.#add({ ...found, key: otherKey[key] })
  }

  #archive(index: number): void {
    this.#use(index, ({ signatories }) => signatories, true)
  }

  #add({ signatories, observers, ...rest }: NewContract, given = this.#submission.actAs): number {
    if (!within(signatories, given)) throw new Refused('DAML_AUTHORIZATION_ERROR')
    const others = distinct(observers).filter((item) => !signatories.includes(item))
    const added = { ...rest, signatories: distinct(signatories), observers: others, state: 'active' as const }
    return this.contracts.push(added) - 1
  }

  #sees({ signatories, observers }: ModelContract): boolean {
    const { actAs, readAs } = this.#submission
    return [...actAs, ...readAs].some((item) => signatories.includes(item) || observers.includes(item))
  }

  #use(index: number, controllers: (found: ModelContract) => PartyName[], consuming: boolean): void {
    const found = this.contracts[index]
    const isGone = this.#before[index]?.state === 'archived'
    if (!found || !this.#sees(found) || isGone) throw new Refused('CONTRACT_NOT_FOUND')
    if (found.state === 'archived') throw new Refused('CONTRACT_NOT_ACTIVE')
    if (!within(controllers(found), this.#submission.actAs)) throw new Refused('DAML_AUTHORIZATION_ERROR')
    if (consuming) found.state = 'archived'
  }
}

/** The ledger after the submission, or the code of its rejection. */
export function predict(before: ModelLedger, submission: ModelSubmission): ModelLedger | string {
  const attempt = new Attempt(before.contracts, submission)
  try {
    for (const item of submission.actions) attempt.perform(item)
  } catch (error) {
    if (error instanceof Refused) return error.code
    throw error
  }
  const { commandId, userId, actAs } = submission
  const change = commandId === undefined ? undefined : [userId, ...distinct(actAs), commandId].join(' ')
  // Checked last: a submission that fails is no change.
  if (change !== undefined && before.changes.has(change)) return 'DUPLICATE_COMMAND'
  return { contracts: attempt.contracts, changes: new Set([...before.changes, ...(change ? [change] : [])]) }
}
