/** Daml values, independent of encoding: the source of JSON, protobuf and hash. */
export type DamlValue =
  | { kind: 'unit' }
  | { kind: 'bool'; value: boolean }
  | { kind: 'int64'; value: bigint }
  /** Canonical decimal text: exactly `scale` places after the point. */
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
  /** Sorted by key (UTF-8 order). */
  | { kind: 'textMap'; entries: [string, DamlValue][] }
  /** Sorted by key (Daml value order). */
  | { kind: 'genMap'; entries: [DamlValue, DamlValue][] }
  | { kind: 'record'; id: DamlIdentifier; fields: [label: string, value: DamlValue][] }
  | { kind: 'variant'; id: DamlIdentifier; constructor: string; value: DamlValue }
  | { kind: 'enum'; id: DamlIdentifier; constructor: string }

export type DamlRecord = Extract<DamlValue, { kind: 'record' }>

/** A type, template or interface of one package, by package id. */
export interface DamlIdentifier {
  packageId: string
  module: string
  entity: string
}

/** `packageId:Module:Entity`, the form in which the interface names templates. */
export function printIdentifier({ packageId, module, entity }: DamlIdentifier): string {
  return `${packageId}:${module}:${entity}`
}
