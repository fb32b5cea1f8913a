/**
 * Named switch points: where participants are known to differ, the code asks here instead of knowing names of participants.
 * `interface` follows the text; `canton-3.5` does what the reference participant was seen to do where it differs.
 */
const switchPoints = {
  /** Client mistakes inside Daml values and the like are answered by a server error (a fault of the reference). */
  'server-error-for-client-mistake': { interface: false, 'canton-3.5': true },
  /** tapsMaxPasses above the limit is refused; otherwise it is silently lowered. */
  'refuse-taps-above-limit': { interface: true, 'canton-3.5': false },
  /** contract-by-id fills createdEventBlob and a constant offset, which the text wants unpopulated. */
  'populated-contract-lookup': { interface: false, 'canton-3.5': true },
  /** Where nobody asks, contract-by-id names all stakeholders as witnesses; by the text there are none. */
  'stakeholders-as-witnesses': { interface: false, 'canton-3.5': true },
  /** The execute operations want a deduplication period, though the text lets it be left out. */
  'execute-needs-deduplication-period': { interface: false, 'canton-3.5': true },
  /** Where a body names several kinds the first counts, and a duration that is no object is none at all. */
  'lenient-decoding': { interface: false, 'canton-3.5': true },
  /** HASHING_SCHEME_VERSION_UNSPECIFIED is refused, though it is among the allowed values; otherwise it stands for the second version. */
  'refuse-unspecified-hashing-scheme': { interface: false, 'canton-3.5': true },
  /** Several parties can sign for one transaction, though the text supports a single one. */
  'several-signing-parties': { interface: false, 'canton-3.5': true },
  /** A vetting update with no changes, or without the member, is a no-op; otherwise it is refused. */
  'vetting-without-changes': { interface: false, 'canton-3.5': true },
  /** The change Empty, which the text knows, is refused as one that names no operation. */
  'refuse-empty-change': { interface: false, 'canton-3.5': true },
  /** From protocol version 35 on dependencies of vetted packages may stay unvetted. */
  'unvetted-dependencies-with-newer-protocol': { interface: false, 'canton-3.5': true },
  /** Whom a transaction was prepared to read as is not shown theirs when it is executed, though the text says so. */
  'forget-readers-of-prepared': { interface: false, 'canton-3.5': true },
  /** The format in which an executed transaction is to be shown is only looked at when it has been committed. */
  'format-checked-after-commit': { interface: false, 'canton-3.5': true },
  /** A vetting change with a validity that no time is in is refused when applied, and taken as a dry run. */
  'empty-validity-in-dry-run': { interface: false, 'canton-3.5': true },
  /** valueDecoded of a view status detail is an object; by the text it is a string. */
  'decoded-details-as-objects': { interface: false, 'canton-3.5': true },
} as const

export type SwitchPoint = keyof typeof switchPoints
export type BehaviourName = 'interface' | 'canton-3.5'

export const behaviourNames: readonly BehaviourName[] = ['interface', 'canton-3.5']
export const switchPointNames = Object.keys(switchPoints) as SwitchPoint[] // the keys of the table above

export interface Behaviour {
  name: BehaviourName
  has(point: SwitchPoint): boolean
}

/** A known behaviour, with some of its switch points set otherwise if need be. */
export function behaviourOf(name: BehaviourName, changes: ReadonlyMap<SwitchPoint, boolean> = new Map()): Behaviour {
  return { name, has: (point) => changes.get(point) ?? switchPoints[point][name] }
}
