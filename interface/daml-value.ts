/** Independent of encoding. */
export type DamlValue =
  | { kind: 'unit' }
  | { kind: 'bool'; value: boolean }
  | { kind: 'int64'; value: bigint }
  /** Decimal, with exactly `scale` places. */
  | { kind: 'numeric'; value: string }
  | { kind: 'text'; value: string }
  | { kind: 'party'; value: string }
  | { kind: 'contractId'; value: string }
  /** Days since 1970-01-01. */
  | { kind: 'date'; value: number }
  /** Microseconds since 1970-01-01T00:00:00Z. */
  | { kind: 'timestamp'; value: bigint }
  | { kind: 'optional'; value: DamlValue | undefined }
  | { kind: 'list'; items: DamlValue[] }
  /** Sorted by UTF-8 keys. */
  | { kind: 'textMap'; entries: [string, DamlValue][] }
  /** Sorted by keys. */
  | { kind: 'genMap'; entries: [DamlValue, DamlValue][] }
  | { kind: 'record'; id: DamlIdentifier; fields: [label: string, value: DamlValue][] }
  | { kind: 'variant'; id: DamlIdentifier; constructor: string; value: DamlValue }
  | { kind: 'enum'; id: DamlIdentifier; constructor: string }

export type DamlRecord = Extract<DamlValue, { kind: 'record' }>

export interface DamlIdentifier {
  packageId: string
  module: string
  entity: string
}

export function printIdentifier({ packageId, module, entity }: DamlIdentifier): string {
  return `${packageId}:${module}:${entity}`
}
