import type { DamlRecord } from '../../interface/daml-value.js'
import type { RecordType } from '../../model/description.js'

/**
 * The record as another version of its type sees it: fields that the version lacks may only go when they are absent
 * Optionals, fields that it adds become absent Optionals. Undefined: it cannot be translated.
 */
export function upgradeRecord(record: DamlRecord, type: RecordType): DamlRecord | undefined {
  const known = new Set(type.fields.map(([label]) => label))
  const lost = record.fields.some(
    ([label, value]) => !known.has(label) && !(value.kind === 'optional' && value.value === undefined),
  )
  if (lost) return undefined
  const fields: DamlRecord['fields'] = []
  for (const [label, fieldType] of type.fields) {
    const found = record.fields.find(([name]) => name === label)
    if (found) {
      if (found[1].kind !== fieldType.type) return undefined
      fields.push(found)
    } else if (fieldType.type === 'optional') {
      fields.push([label, { kind: 'optional', value: undefined }])
    } else {
      return undefined
    }
  }
  return { kind: 'record', id: type.id, fields }
}
