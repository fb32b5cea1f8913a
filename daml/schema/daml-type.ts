import type { DamlIdentifier } from '../../interface/daml-value.js'

/**
 * A type of values that can be stored and sent. Types may hold themselves: fields and constructors are found out when somebody
 * asks for them, so a type cannot be printed or compared as a whole.
 */
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
