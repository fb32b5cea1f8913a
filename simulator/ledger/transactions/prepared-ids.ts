/** Prepared transactions contain ids of new contracts without a suffix. */
import type { DamlValue } from '../../../interface/daml-value.js'
import { withoutTrailingNones } from '../contracts/lf-value.js'

const unsuffixedLength = 66

export class PreparedIds {
  readonly #created: ReadonlySet<string>

  constructor(created: ReadonlySet<string>) {
    this.#created = created
  }

  id(contractId: string): string {
    return this.#created.has(contractId) ? contractId.slice(0, unsuffixedLength) : contractId
  }

  /** The value as it is serialized. */
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
