import type { DamlType } from '../daml/schema/daml-type.js'

/** The type as Daml-LF text writes it; what a contract id points to is not described. */
export function lfType(type: DamlType): string {
  const inner = (of: DamlType): string => (lfType(of).includes(' ') ? `(${lfType(of)})` : lfType(of))
  switch (type.type) {
    case 'numeric':
      return `Numeric ${type.scale}`
    case 'optional':
      return `Option ${inner(type.of)}`
    case 'list':
      return `List ${inner(type.of)}`
    case 'textMap':
      return `TextMap ${inner(type.of)}`
    case 'genMap':
      return `GenMap ${inner(type.key)} ${inner(type.of)}`
    case 'record':
    case 'variant':
    case 'enum':
      return `${type.id.module}:${type.id.entity}`
    case 'contractId':
      return 'ContractId'
    default:
      return type.type[0]?.toUpperCase() + type.type.slice(1)
  }
}

export const squeezed = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .replace(/'[0-9a-f]{64}':/g, '')
    .replace(/\(ContractId [\w:]+\)|ContractId [\w:]+/g, 'ContractId')
    .trim()
