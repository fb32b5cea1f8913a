/** Contract ids and values as prepared transactions show them: ids of new contracts without the suffix, which comes with the commit. */
import type { DamlValue } from '../../../interface/daml-value.js'
import { withoutTrailingNones } from '../contracts/lf-value.js'

const unsuffixedLength = 66

/** Shortens the ids of the created contracts, leaves all others as they are. */
export class PreparedIds {
  readonly #created: ReadonlySet<string>

  constructor(created: ReadonlySet<string>) {
    this.#created = created
  }

  id(contractId: string): string {
    return this.#created.has(contractId) ? contractId.slice(0, unsuffixedLength) : contractId
  }

  /** The value as it is serialized, with every contract id in it shortened. */
  value(value: DamlValue): DamlValue {
    switch (value.kind) {
      case 'contractId':
        return { ...value, value: this.id(value.value) }
      case 'optional':
        return { ...value, value: value.value && this.value(value.value) }
      case 'list':
        return { ...value, items: value.items.map((item) => this.value(item)) }
      case 'textMap':
        return { ...value, entries: this.#named(value.entries) }
      case 'genMap':
        return { ...value, entries: value.entries.map(([key, item]) => [this.value(key), this.value(item)]) }
      case 'record':
        return { ...value, fields: this.#named(withoutTrailingNones(value.fields)) }
      case 'variant':
        return { ...value, value: this.value(value.value) }
      default:
        return value
    }
  }

  #named(entries: readonly [string, DamlValue][]): [string, DamlValue][] {
    return entries.map(([name, item]) => [name, this.value(item)])
  }
}
