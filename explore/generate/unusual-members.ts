/** Borderline and invalid values of the members of requests. Other alterations use values of another kind. */
import type { Data } from '../../record/types/resolved-row.js'
import { variable } from './draft-step.js'

type Values = readonly Data[]

const names: Values = ['', 'bad!', 'ü', 'a'.repeat(255), 'a'.repeat(256)]
const parties: Values = [[], [''], ['bad party!'], variable('alice'), [variable('alice'), variable('alice')]]
const synchronizers: Values = ['', 'x', 'x::1220', variable('synchronizerId')]

const periods: Values = [
  {},
  { Empty: {} },
  { Other: {} },
  { DeduplicationDuration: {} },
  { DeduplicationDuration: { value: 5 } },
  { DeduplicationDuration: { value: { seconds: 60, nanos: 0 } } },
  { DeduplicationDuration: { value: { seconds: -1, nanos: 0 } } },
  { DeduplicationOffset: { value: 0 } },
  { DeduplicationOffset: { value: variable('begin') } },
]

const executionMembers: Readonly<Record<string, Values>> = {
  preparedTransaction: ['', 'AAAA'],
  partySignatures: [
    {},
    { signatures: [] },
    { signatures: 'x' },
    { signatures: [null] },
    { signatures: [{ party: variable('eve') }] },
    { signatures: [{ party: variable('eve'), signatures: [] }] },
  ],
  deduplicationPeriod: periods,
  submissionId: names,
  userId: names,
  hashingSchemeVersion: [
    '',
    'HASHING_SCHEME_VERSION_UNSPECIFIED',
    'HASHING_SCHEME_VERSION_V2',
    'HASHING_SCHEME_VERSION_V3',
    'HASHING_SCHEME_VERSION_V9',
  ],
  minLedgerTime: [
    {},
    { time: {} },
    { time: { Empty: {} } },
    { time: { Other: {} } },
    { time: { MinLedgerTimeAbs: {} } },
    { time: { MinLedgerTimeAbs: { value: 'never' } } },
  ],
}

const membersOf: Readonly<Record<string, Readonly<Record<string, Values>>>> = {
  'contract-by-id': {
    contractId: ['', '00', 'bad!'],
    queryingParties: parties,
  },
  'submit-and-wait': {
    commands: [[{}], [{ CreateCommand: {} }], [null]],
    commandId: names,
    actAs: parties,
    userId: names,
    readAs: parties,
    workflowId: names,
    deduplicationPeriod: periods,
    minLedgerTimeAbs: ['', '2020-01-01', '2020-01-01T00:00:00Z', '2020-01-01T01:00:00+01:00'],
    minLedgerTimeRel: [{}, { seconds: 0, nanos: 0 }],
    submissionId: names,
    disclosedContracts: [[], [{}]],
    synchronizerId: synchronizers,
    packageIdSelectionPreference: [[], ['bad id!'], ['0'.repeat(64)]],
    prefetchContractKeys: [[], [{}]],
    tapsMaxPasses: [1, 3, 0, -1, 1.5, 2147483648],
  },
  execute: executionMembers,
  'execute-and-wait-for-transaction': {
    ...executionMembers,
    transactionFormat: [
      {},
      { transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA' },
      { eventFormat: {}, transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA' },
      { eventFormat: null, transactionShape: 'TRANSACTION_SHAPE_OTHER' },
    ],
  },
  'update-package-vetting': {
    changes: [[], [{}], [{ operation: {} }], [{ operation: { Empty: {} } }], [{ operation: { Vet: { value: {} } } }]],
    dryRun: [true],
    synchronizerId: synchronizers,
    expectedTopologySerial: [
      {},
      { serial: null },
      { serial: {} },
      { serial: { Empty: {} } },
      { serial: { NoPrior: {} } },
      { serial: { Prior: { value: 99999 } } },
    ],
    updateVettedPackagesForceFlags: [[], ['OTHER'], ['UPDATE_VETTED_PACKAGES_FORCE_FLAG_UNSPECIFIED']],
  },
}

/** Empty for operations whose requests stay unaltered. */
export const unusualMembers = (operation: string): [name: string, values: Values][] =>
  Object.entries(membersOf[operation] ?? {})
