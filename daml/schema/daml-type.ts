import type { DamlIdentifier } from '../../interface/daml-value.js'

/** Types can be recursive: parts are resolved on access, so never print or compare a whole type. */
export type DamlType =
  | { type: 'unit' | 'bool' | 'int64' | 'text' | 'party' | 'date' | 'timestamp' }
  | { type: 'numeric'; scale: number }
  | { type: 'contractId' }
  | { type: 'optional' | 'list' | 'textMap'; of: DamlType }
  | { type: 'genMap'; key: DamlType; of: DamlType }
  | { type: 'record'; id: DamlIdentifier; readonly fields: Field[] }
  | { type: 'variant'; id: DamlIdentifier; readonly constructors: Field[] }
  | { type: 'enum'; id: DamlIdentifier; constructors: string[] }

export type RecordType = Extract<DamlType, { type: 'record' }>
export type Field = [label: string, type: DamlType]
