/**
 * Known differences between participants. The code tests a switch point, never the name of a participant.
 * `interface` follows the text; the other names follow observed lines of the reference participant.
 */
export type BehaviourName = 'interface' | 'canton-3.4' | 'canton-3.5' | 'canton-3.6'

export const behaviourNames: readonly BehaviourName[] = ['interface', 'canton-3.4', 'canton-3.5', 'canton-3.6']

const everyLine: readonly BehaviourName[] = ['canton-3.4', 'canton-3.5', 'canton-3.6']
const until34: readonly BehaviourName[] = ['canton-3.4']
const until35: readonly BehaviourName[] = ['canton-3.4', 'canton-3.5']
const from35: readonly BehaviourName[] = ['canton-3.5', 'canton-3.6']
const from36: readonly BehaviourName[] = ['canton-3.6']

/** The behaviours in which a switch point is on. */
const switchPoints = {
  // Faults of the reference: a server error instead of a client error.
  /** A Daml value of the wrong JSON type. */
  'server-error-for-wrong-kind': everyLine,
  /** A date, time or enum that cannot be parsed. */
  'server-error-for-unparsable-value': everyLine,
  /** A map entry with a valid key and no value. */
  'server-error-for-key-without-value': everyLine,
  /** A duration that begins before the first possible time. */
  'server-error-for-endless-duration': everyLine,
  /** A deduplication duration that is not a whole number of microseconds. */
  'server-error-for-fine-duration': everyLine,
  /** A PrefetchContractKey whose template id contains a package name. */
  'server-error-for-prefetch-by-name': everyLine,
  /** A prepared transaction whose root refers to no node. */
  'server-error-for-missing-nodes': everyLine,
  /** A prepared transaction with a signatory that is not among the stakeholders. */
  'server-error-for-strange-signatory': everyLine,
  /** A lower bound of the ledger time in the distant future. */
  'server-error-for-far-ledger-time': everyLine,
  /** The deletion of an identity provider that has users. */
  'server-error-for-provider-with-users': everyLine,
  /** A query by key in Daml code that requests no contract. */
  'server-error-for-empty-key-query': everyLine,
  /** A topology without a key or without a confirming participant. */
  'server-error-for-incomplete-topology': everyLine,
  /** Rejects a tapsMaxPasses above the limit; otherwise lowers it. */
  'refuse-taps-above-limit': ['interface'],
  /** contract-by-id returns createdEventBlob and a constant offset; by the text they are not populated. */
  'populated-contract-lookup': everyLine,
  /** Without querying parties, contract-by-id returns all stakeholders as witnesses; by the text it returns none. */
  'stakeholders-as-witnesses': everyLine,
  /** The execute operations require a deduplication period; by the text it is optional. */
  'execute-needs-deduplication-period': everyLine,
  /** The first of several kinds in a body counts, and a duration that is not an object is ignored. */
  'lenient-decoding': everyLine,
  /** Rejects HASHING_SCHEME_VERSION_UNSPECIFIED, an allowed value; otherwise it is the second version. */
  'refuse-unspecified-hashing-scheme': everyLine,
  /** Accepts signatures of several parties; the text supports a single party. */
  'several-signing-parties': everyLine,
  /** Accepts a vetting update without changes, which has no effect; otherwise rejects it. */
  'vetting-without-changes': everyLine,
  /** Rejects the change Empty, which the text defines. */
  'refuse-empty-change': everyLine,
  /** From protocol version 35 on, dependencies of vetted packages may be unvetted. */
  'unvetted-dependencies-with-newer-protocol': everyLine,
  /** The response to an execution ignores the readAs parties of the preparation, against the text. */
  'forget-readers-of-prepared': everyLine,
  /** Checks transactionFormat only after the commit. */
  'format-checked-after-commit': everyLine,
  /** Accepts an empty validity period as a dry run, and rejects it when applied. */
  'empty-validity-in-dry-run': everyLine,
  /** valueDecoded of a view status detail is an object; by the text it is a string. */
  'decoded-details-as-objects': from35,
  /** Returns a server error for a contract id whose suffix has an unknown version (a fault of the reference). */
  'server-error-for-unknown-contract-id-version': until35,
  /** Decodes the key before it finds that the template has none; the wrong JSON type is then a server error. */
  'key-decoded-before-template': until34,
  /** Int64 values may be JSON numbers, and null is a client error. */
  'integers-as-json-numbers': until34,
  /** Knows HASHING_SCHEME_VERSION_V3. */
  'third-hashing-scheme': ['interface', ...from35],
  /** Knows HASHING_SCHEME_VERSION_V4, which no protocol version supports. */
  'fourth-hashing-scheme': from36,
  /** A PrefetchContractKey without a template decodes, and is rejected as a missing field. */
  'prefetch-template-checked-later': until34,
  /** Filters accept template ids that contain a package id. */
  'filters-by-package-id': until34,
  /** A repeated UUID of a transaction is rejected without details. */
  'redacted-duplicate-uuid': until34,
  /** Prepared transactions contain logical synchronizer ids only; a physical id is malformed. */
  'logical-synchronizer-ids-only': until34,
  /** Events have contractKeyHash, interface views implementationPackageId, and unknown paths ledgerApiError. */
  'members-since-3.5': ['interface', ...from35],
  /** Transactions and completions have transactionHash, and the ledger end synchronizerTimes. */
  'members-since-3.6': from36,
  /** Resources of errors have the type CONTRACT_ID, not ErrorResource(CONTRACT_ID). */
  'plain-resource-types': from36,
  /** Knows the right CanActAsAnyParty. */
  'right-to-act-as-any-party': from36,
  /** Only a participant administrator grants rights for any party. */
  'administrator-grants-any-party': ['interface', ...from35],
  /** Limits lengths, number of headers, methods and versions in heads of requests. */
  'http-head-limits': everyLine,
  /** The size of a request body is not limited. */
  'bodies-of-any-size': from36,
  /** Daml values are also limited by their depth as JSON. */
  'json-depth-limited': from36,
  /** A transaction of an unknown serialization version cannot be hashed. */
  'unknown-node-version-not-hashed': from36,
} as const satisfies Record<string, readonly BehaviourName[]>

export type SwitchPoint = keyof typeof switchPoints

export const switchPointNames = Object.keys(switchPoints) as SwitchPoint[] // the keys of the table above

export interface Behaviour {
  name: BehaviourName
  has(point: SwitchPoint): boolean
}

/**
 * `changes` replaces single switch points.
 * @example behaviourOf('interface').has('http-head-limits') // false
 */
export function behaviourOf(name: BehaviourName, changes: ReadonlyMap<SwitchPoint, boolean> = new Map()): Behaviour {
  return {
    name,
    has: (point) => changes.get(point) ?? (switchPoints[point] as readonly BehaviourName[]).includes(name),
  }
}
