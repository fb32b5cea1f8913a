/** Parts of what is kept that are the same again and again - parties above all -, each of them kept once. */
import type { DamlRecord, DamlValue } from '../../../interface/daml-value.js'

type Field = DamlRecord['fields'][number]

/** So many different ones are known at a time; what is shared already stays shared. */
const mostKnown = 10_000

/** Nothing is remembered here but to save memory: without it everything would be as it is. */
export class SharedParts {
  readonly #lists = new Map<string, string[]>()
  readonly #fields = new Map<string, Field>()

  /** An equal list of parties. */
  list(parties: string[]): string[] {
    return known(this.#lists, parties.join('\n'), () => parties)
  }

  /** An equal record; fields that hold a party are shared. */
  record(record: DamlRecord): DamlRecord {
    return { kind: 'record', id: record.id, fields: record.fields.map((field) => this.#field(field)) }
  }

  #field(field: Field): Field {
    const [label, value] = field
    if (value.kind !== 'party') return [label, this.#value(value)]
    return known(this.#fields, `${label}\n${value.value}`, () => {
      const [party = ''] = this.list([value.value])
      return [label, { kind: 'party', value: party }]
    })
  }

  #value(value: DamlValue): DamlValue {
    return value.kind === 'record' ? this.record(value) : value
  }
}

function known<T>(parts: Map<string, T>, key: string, make: () => T): T {
  const found = parts.get(key)
  if (found !== undefined) return found
  if (parts.size >= mostKnown) parts.clear()
  const made = make()
  parts.set(key, made)
  return made
}
