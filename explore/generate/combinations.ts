/** Requests in which every pair of values of any two members stands somewhere, whatever the others are: right ones and wrong ones. */
import type { OperationName } from '../../interface/operations.js'
import type { Data } from '../../record/resolved-row.js'
import { coveringArray } from './covering-array.js'
import { type Drafted, type Drafting, turnOf } from './drafting.js'
import type { Random } from './random.js'
import { unique, variable } from './variable.js'

/** Members with the values that they are tried with; undefined leaves the member out. The first is right. */
type Members = Readonly<Record<string, readonly (Data | undefined)[]>>

const ping = '#canton-builtin-admin-workflow-ping:Canton.Internal.Ping:Ping'
const [alice, bob] = [variable('alice'), variable('bob')]
const wrongKinds: readonly Data[] = [null, 7, true, 'x', {}]
const wrongLists: readonly Data[] = [null, 'x', {}, [null], [7]]
const optionalList = (...right: Data[]): (Data | undefined)[] => [undefined, [], ...right, ...wrongLists]

/** `number`: another one each time, so that change ids are new. */
function submitMembers(number: number): Members {
  const create = {
    CreateCommand: {
      templateId: ping,
      createArguments: { id: unique(`p${number}`), initiator: alice, responder: bob },
    },
  }
  const gone = {
    CreateAndExerciseCommand: { ...create.CreateCommand, choice: 'AbortPing', choiceArgument: { anyone: alice } },
  }
  return {
    commands: [
      [create],
      [gone],
      [create, gone],
      undefined,
      [],
      ...wrongLists,
      [{}],
      [{ CreateCommand: {} }],
      [{ ...create, ...gone }],
    ],
    commandId: [unique(`combined-${number}`), undefined, '', 'a'.repeat(255), 'a'.repeat(256), 'ü', ...wrongKinds],
    actAs: [[alice], [alice, bob], [alice, alice], undefined, [], [''], ['bad party!'], ...wrongLists],
    userId: [variable('user'), undefined, '', 'bad user', ...wrongKinds],
    readAs: optionalList([bob], ['bad party!']),
    workflowId: [undefined, 'flow', '', 'bad!', ...wrongKinds],
    deduplicationPeriod: [
      ...[undefined, { Empty: {} }, { DeduplicationDuration: { value: { seconds: 60, nanos: 0 } } }, {}],
      ...[{ DeduplicationDuration: { value: { seconds: -1, nanos: 0 } } }, { DeduplicationDuration: {} }],
      ...[{ DeduplicationOffset: { value: 0 } }, { DeduplicationDuration: { value: 5 } }, { Other: {} }, ...wrongKinds],
    ],
    minLedgerTimeAbs: [undefined, '2020-01-01T00:00:00Z', '2020-01-01', '', null, 7, {}],
    minLedgerTimeRel: [undefined, { seconds: 0, nanos: 0 }, {}, null, 7, 'x', []],
    submissionId: [undefined, unique(`s${number}`), '', 'bad!', ...wrongKinds],
    disclosedContracts: optionalList([{}]),
    synchronizerId: [undefined, variable('synchronizerId'), '', 'x', 'x::1220', null, 7, {}],
    packageIdSelectionPreference: optionalList(['bad id!'], ['0'.repeat(64)]),
    prefetchContractKeys: optionalList(),
    tapsMaxPasses: [undefined, 1, 3, 0, -1, 2147483648, '3', 1.5, 'x', null, {}],
  }
}

const lookUpMembers = (contract: Data): Members => ({
  contractId: [contract, { '$flip-digit': contract }, undefined, '', 'bad!', '00', ...wrongKinds],
  queryingParties: [
    [alice],
    [],
    undefined,
    [bob],
    [variable('carol')],
    [alice, alice],
    [''],
    ['bad party!'],
    ...wrongLists,
  ],
})

const vettingMembers = (reference: Data): Members => ({
  changes: [
    [
      {
        operation: {
          Vet: { value: { packages: [reference], newValidFromInclusive: null, newValidUntilExclusive: null } },
        },
      },
    ],
    ...[
      [{ operation: { Unvet: { value: { packages: [reference] } } } }],
      [],
      undefined,
      [{}],
      [{ operation: {} }],
      [{ operation: { Empty: {} } }],
    ],
    [{ operation: { Vet: { value: { packages: [] } } } }],
    [{ operation: { Vet: { value: {} } } }],
    [{ operation: { Vet: { value: { packages: [reference], newValidFromInclusive: 'never' } } } }],
    ...wrongLists,
  ],
  // What is vetted stays as it is.
  dryRun: [true],
  synchronizerId: [variable('synchronizerId'), undefined, '', 'x', 'x::1220', null, 7],
  expectedTopologySerial: [
    undefined,
    { serial: { Empty: {} } },
    { serial: { NoPrior: {} } },
    { serial: { Prior: { value: 99999 } } },
    { serial: {} },
    {},
    { serial: null },
    ...wrongKinds,
  ],
  updateVettedPackagesForceFlags: optionalList(['UPDATE_VETTED_PACKAGES_FORCE_FLAG_UNSPECIFIED'], ['OTHER']),
})

/** A maker of turns, one row after the other, beginning anywhere. */
export class Combinations {
  readonly #rows: number[][]
  readonly #operation: OperationName
  readonly #members: (number: number) => Members
  #at: number

  constructor(
    operation: 'submit-and-wait' | 'contract-by-id' | 'update-package-vetting',
    random: Random,
    strength: number,
    subject: Data,
  ) {
    this.#operation = operation
    this.#members = (number) => {
      if (operation === 'contract-by-id') return lookUpMembers(subject)
      return operation === 'submit-and-wait' ? submitMembers(number) : vettingMembers(subject)
    }
    this.#rows = rowsFor(operation, this.#members(0), strength)
    this.#at = random.below(this.#rows.length)
  }

  next({ number }: Pick<Drafting, 'number'>): Drafted {
    const row = this.#rows[this.#at % this.#rows.length] ?? []
    this.#at += 1
    const members = Object.entries(this.#members(number()))
    const body = Object.fromEntries(
      members.flatMap(([name, values], index): [string, Data][] => {
        const value = values[row[index] ?? 0]
        return value === undefined ? [] : [[name, value]]
      }),
    )
    const actor = this.#operation === 'update-package-vetting' ? 'administrator' : 'operator'
    return { turn: turnOf({ about: `combination ${this.#at}`, operation: this.#operation, actor, body }) }
  }
}

const made = new Map<string, number[][]>()

/** One member that is wrong hides what comes behind it: beside the pairs each value stands once with the others right. */
function rowsFor(operation: string, members: Members, strength: number): number[][] {
  const name = `${operation} ${strength}`
  const levels = Object.values(members).map((values) => values.length)
  const single = levels.flatMap((count, at) =>
    Array.from({ length: count }, (_, value) => levels.map((_, index) => (index === at ? value : 0))),
  )
  const pairs = coveringArray(levels, Math.min(strength, levels.length))
  const rows = made.get(name) ?? alternating(single, pairs)
  made.set(name, rows)
  return rows
}

const alternating = (one: readonly number[][], other: readonly number[][]): number[][] =>
  Array.from({ length: Math.max(one.length, other.length) }, (_, index) => [one[index], other[index]])
    .flat()
    .filter((row) => row !== undefined)
