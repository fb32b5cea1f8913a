/** The members of requests with the values that they are tried with, right ones and wrong ones. */
import type { OperationName } from '../../interface/operations.js'
import type { Data } from '../../record/types/resolved-row.js'
import { signedBy } from './signatures.js'
import { ping } from './templates.js'
import { unique, variable } from './variable.js'

/** Members with the values that they are tried with; undefined leaves the member out. The first is right. */
export type Members = Readonly<Record<string, readonly (Data | undefined)[]>>

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
      create,
      undefined,
      [],
      ...wrongLists,
      [{}],
      [{ CreateCommand: {} }],
      [{ ...create, ...gone }],
    ],
    commandId: [unique(`combined-${number}`), undefined, '', 'a'.repeat(255), 'a'.repeat(256), 'ü', ...wrongKinds],
    actAs: [[alice], [alice, bob], [alice, alice], alice, undefined, [], [''], ['bad party!'], ...wrongLists],
    userId: [variable('user'), undefined, '', 'bad user', ...wrongKinds],
    readAs: optionalList([bob], bob, ['bad party!']),
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
    alice,
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

/** A transaction that an external party has to sign: the variable that holds it; `NAME.hash` holds what is signed. */
export interface Prepared {
  prepared: string
  party: string
  scheme: 'V2' | 'V3'
}

const periods: readonly (Data | undefined)[] = [
  ...[{ DeduplicationDuration: { value: { seconds: 300, nanos: 0 } } }, undefined, { Empty: {} }, {}],
  ...[{ DeduplicationDuration: { value: { seconds: -1, nanos: 0 } } }, { DeduplicationOffset: { value: 0 } }],
  ...[{ DeduplicationOffset: { value: variable('begin') } }, { DeduplicationDuration: {} }, { Other: {} }],
  ...wrongKinds,
]

const formatOf = (party: string): Data => ({
  filtersByParty: {
    [variable(party)]: {
      cumulative: [{ identifierFilter: { WildcardFilter: { value: { includeCreatedEventBlob: false } } } }],
    },
  },
  verbose: true,
})

function executeMembers({ prepared, party, scheme }: Prepared, number: number): Members {
  const right = { party: variable(party), signatures: signedBy(party, variable(`${prepared}.hash`)) }
  return {
    preparedTransaction: [variable(prepared), undefined, '', 'AAAA', ...wrongKinds],
    partySignatures: [
      ...[{ signatures: [right] }, undefined, {}, { signatures: [] }, { signatures: [right, right] }],
      ...[{ signatures: [{ ...right, signatures: [] }] }, { signatures: [{ party: variable(party) }] }],
      ...[{ signatures: [{ signatures: right.signatures }] }, { signatures: 'x' }, { signatures: [null] }],
      ...wrongKinds.filter((kind) => kind !== null),
      null,
    ],
    deduplicationPeriod: periods,
    submissionId: [unique(`combined-${number}`), undefined, '', 'bad!', ...wrongKinds],
    userId: [variable('user'), undefined, '', 'bad user', ...wrongKinds],
    hashingSchemeVersion: [
      ...[`HASHING_SCHEME_VERSION_${scheme}`, undefined, 'HASHING_SCHEME_VERSION_UNSPECIFIED'],
      ...[`HASHING_SCHEME_VERSION_${scheme === 'V2' ? 'V3' : 'V2'}`, 'HASHING_SCHEME_VERSION_V9', '', ...wrongKinds],
    ],
    minLedgerTime: [
      ...[undefined, { time: { Empty: {} } }, {}, { time: {} }, { time: { Other: {} } }],
      ...[{ time: { MinLedgerTimeAbs: { value: '2020-01-01T00:00:00Z' } } }],
      ...[{ time: { MinLedgerTimeAbs: { value: 'never' } } }, { time: { MinLedgerTimeAbs: {} } }],
      ...[{ time: { MinLedgerTimeRel: { value: { seconds: 0, nanos: 0 } } } }, ...wrongKinds],
    ],
  }
}

const waitingMembers = (given: Prepared, number: number): Members => ({
  ...executeMembers(given, number),
  transactionFormat: [
    undefined,
    ...['ACS_DELTA', 'LEDGER_EFFECTS', 'UNSPECIFIED', 'OTHER'].map((shape) => ({
      eventFormat: formatOf(given.party),
      transactionShape: `TRANSACTION_SHAPE_${shape}`,
    })),
    { eventFormat: formatOf(given.party) },
    { transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA' },
    { eventFormat: {}, transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA' },
    { eventFormat: null, transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA' },
    ...wrongKinds,
  ],
})

/** What the request is about. */
export interface Subject {
  contract: Data
  /** A package, as changes of vetting name it. */
  reference: Data
  prepared: Prepared
}

/** `number`: another one each time, so that what is sent is new. */
export const membersOf: Readonly<Record<OperationName, (subject: Subject, number: number) => Members>> = {
  'contract-by-id': ({ contract }) => lookUpMembers(contract),
  'submit-and-wait': (_, number) => submitMembers(number),
  'update-package-vetting': ({ reference }) => vettingMembers(reference),
  execute: ({ prepared }, number) => executeMembers(prepared, number),
  'execute-and-wait-for-transaction': ({ prepared }, number) => waitingMembers(prepared, number),
}
