import type { OperationName } from '../../interface/operations.js'
import type { Data } from '../../record/types/resolved-row.js'
import { createPing, eventFormatFor, keysOf, signWith, unique, variable } from './draft-step.js'

/** The first value is valid; undefined omits the member. */
export type Members = Readonly<Record<string, readonly (Data | undefined)[]>>

const [alice, bob] = [variable('alice'), variable('bob')]
const wrongTypes: readonly Data[] = [null, 7, true, 'x', {}]
const wrongArrays: readonly Data[] = [null, 'x', {}, [null], [7]]
const optionalArray = (...valid: Data[]): (Data | undefined)[] => [undefined, [], ...valid, ...wrongArrays]

/** `number`: makes the change id unique. */
function submitMembers(number: number): Members {
  const create = createPing(`p${number}`)
  const createAndAbort = {
    CreateAndExerciseCommand: { ...create.CreateCommand, choice: 'AbortPing', choiceArgument: { anyone: alice } },
  }
  return {
    commands: [
      [create],
      [createAndAbort],
      [create, createAndAbort],
      create,
      undefined,
      [],
      ...wrongArrays,
      [{}],
      [{ CreateCommand: {} }],
      [{ ...create, ...createAndAbort }],
    ],
    commandId: [unique(`combined-${number}`), undefined, '', 'a'.repeat(255), 'a'.repeat(256), 'ü', ...wrongTypes],
    actAs: [[alice], [alice, bob], [alice, alice], alice, undefined, [], [''], ['bad party!'], ...wrongArrays],
    userId: [variable('user'), undefined, '', 'bad user', ...wrongTypes],
    readAs: optionalArray([bob], bob, ['bad party!']),
    workflowId: [undefined, 'flow', '', 'bad!', ...wrongTypes],
    deduplicationPeriod: [
      ...[undefined, { Empty: {} }, { DeduplicationDuration: { value: { seconds: 60, nanos: 0 } } }, {}],
      ...[{ DeduplicationDuration: { value: { seconds: -1, nanos: 0 } } }, { DeduplicationDuration: {} }],
      ...[{ DeduplicationOffset: { value: 0 } }, { DeduplicationDuration: { value: 5 } }, { Other: {} }, ...wrongTypes],
    ],
    minLedgerTimeAbs: [undefined, '2020-01-01T00:00:00Z', '2020-01-01', '', null, 7, {}],
    minLedgerTimeRel: [undefined, { seconds: 0, nanos: 0 }, {}, null, 7, 'x', []],
    submissionId: [undefined, unique(`s${number}`), '', 'bad!', ...wrongTypes],
    disclosedContracts: optionalArray([{}]),
    synchronizerId: [undefined, variable('synchronizerId'), '', 'x', 'x::1220', null, 7, {}],
    packageIdSelectionPreference: optionalArray(['bad id!'], ['0'.repeat(64)]),
    prefetchContractKeys: optionalArray(),
    tapsMaxPasses: [undefined, 1, 3, 0, -1, 2147483648, '3', 1.5, 'x', null, {}],
  }
}

const lookUpMembers = (contract: Data): Members => ({
  contractId: [contract, { '$flip-digit': contract }, undefined, '', 'bad!', '00', ...wrongTypes],
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
    ...wrongArrays,
  ],
})

const vettingMembers = (packageReference: Data): Members => ({
  changes: [
    [
      {
        operation: {
          Vet: { value: { packages: [packageReference], newValidFromInclusive: null, newValidUntilExclusive: null } },
        },
      },
    ],
    ...[
      [{ operation: { Unvet: { value: { packages: [packageReference] } } } }],
      [],
      undefined,
      [{}],
      [{ operation: {} }],
      [{ operation: { Empty: {} } }],
    ],
    [{ operation: { Vet: { value: { packages: [] } } } }],
    [{ operation: { Vet: { value: {} } } }],
    [{ operation: { Vet: { value: { packages: [packageReference], newValidFromInclusive: 'never' } } } }],
    ...wrongArrays,
  ],
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
    ...wrongTypes,
  ],
  updateVettedPackagesForceFlags: optionalArray(['UPDATE_VETTED_PACKAGES_FORCE_FLAG_UNSPECIFIED'], ['OTHER']),
})

/** A transaction that an external party signs. */
export interface Prepared {
  /** The variable of its bytes. `NAME.hash` is the variable of its hash. */
  prepared: string
  party: string
  scheme: 'V2' | 'V3'
}

const periods: readonly (Data | undefined)[] = [
  ...[{ DeduplicationDuration: { value: { seconds: 300, nanos: 0 } } }, undefined, { Empty: {} }, {}],
  ...[{ DeduplicationDuration: { value: { seconds: -1, nanos: 0 } } }, { DeduplicationOffset: { value: 0 } }],
  ...[{ DeduplicationOffset: { value: variable('begin') } }, { DeduplicationDuration: {} }, { Other: {} }],
  ...wrongTypes,
]

function executeMembers({ prepared, party, scheme }: Prepared, number: number): Members {
  const signatures = (keysOf[party] ?? []).map((key) => signWith(key, variable(`${prepared}.hash`)))
  const valid = { party: variable(party), signatures }
  return {
    preparedTransaction: [variable(prepared), undefined, '', 'AAAA', ...wrongTypes],
    partySignatures: [
      ...[{ signatures: [valid] }, undefined, {}, { signatures: [] }, { signatures: [valid, valid] }],
      ...[{ signatures: [{ ...valid, signatures: [] }] }, { signatures: [{ party: variable(party) }] }],
      ...[{ signatures: [{ signatures }] }, { signatures: 'x' }, { signatures: [null] }],
      ...wrongTypes.filter((kind) => kind !== null),
      null,
    ],
    deduplicationPeriod: periods,
    submissionId: [unique(`combined-${number}`), undefined, '', 'bad!', ...wrongTypes],
    userId: [variable('user'), undefined, '', 'bad user', ...wrongTypes],
    hashingSchemeVersion: [
      ...[`HASHING_SCHEME_VERSION_${scheme}`, undefined, 'HASHING_SCHEME_VERSION_UNSPECIFIED'],
      ...[`HASHING_SCHEME_VERSION_${scheme === 'V2' ? 'V3' : 'V2'}`, 'HASHING_SCHEME_VERSION_V9', '', ...wrongTypes],
    ],
    minLedgerTime: [
      ...[undefined, { time: { Empty: {} } }, {}, { time: {} }, { time: { Other: {} } }],
      ...[{ time: { MinLedgerTimeAbs: { value: '2020-01-01T00:00:00Z' } } }],
      ...[{ time: { MinLedgerTimeAbs: { value: 'never' } } }, { time: { MinLedgerTimeAbs: {} } }],
      ...[{ time: { MinLedgerTimeRel: { value: { seconds: 0, nanos: 0 } } } }, ...wrongTypes],
    ],
  }
}

const waitingMembers = (given: Prepared, number: number): Members => ({
  ...executeMembers(given, number),
  transactionFormat: [
    undefined,
    ...['ACS_DELTA', 'LEDGER_EFFECTS', 'UNSPECIFIED', 'OTHER'].map((shape) => ({
      eventFormat: eventFormatFor([given.party], false),
      transactionShape: `TRANSACTION_SHAPE_${shape}`,
    })),
    { eventFormat: eventFormatFor([given.party], false) },
    { transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA' },
    { eventFormat: {}, transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA' },
    { eventFormat: null, transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA' },
    ...wrongTypes,
  ],
})

export interface Subject {
  contract: Data
  /** As vetting changes name packages. */
  packageReference: Data
  prepared: Prepared
}

export const membersOf: Readonly<Record<OperationName, (subject: Subject, number: number) => Members>> = {
  'contract-by-id': ({ contract }) => lookUpMembers(contract),
  'submit-and-wait': (_, number) => submitMembers(number),
  'update-package-vetting': ({ packageReference }) => vettingMembers(packageReference),
  execute: ({ prepared }, number) => executeMembers(prepared, number),
  'execute-and-wait-for-transaction': ({ prepared }, number) => waitingMembers(prepared, number),
}
