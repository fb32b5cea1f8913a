import { illTyped } from '../../../daml/machine/failures.js'
import type { Value } from '../../../daml/machine/values.js'
import { exportValue, importValue, NestingError } from '../../../daml/schema/conversion.js'
import type { DamlType, RecordType } from '../../../daml/schema/daml-type.js'
import type { DamlRecord, DamlValue } from '../../../interface/daml-value.js'
import type { PackageStore } from '../packages/package-store.js'
import { valueNesting } from './interpretation-errors.js'

export class ValueExchange {
  readonly #packages: PackageStore
  /** Counts work in proportion to value size. */
  readonly spend: (steps: number) => void

  constructor(packages: PackageStore, spend: (steps: number) => void) {
    this.#packages = packages
    this.spend = spend
  }

  /** Throws `VALUE_NESTING`. */
  export(value: Value, type: DamlType): DamlValue {
    try {
      return exportValue(value, type, this.spend)
    } catch (error) {
      throw error instanceof NestingError ? valueNesting() : error
    }
  }

  exportRecord(value: Value, type: RecordType): DamlRecord {
    const found = this.export(value, type)
    return found.kind === 'record' ? found : illTyped('a record is expected')
  }

  /** Throws `TranslationError` if the value fits no version of the type. */
  translate(value: DamlValue, type: DamlType): Value {
    return importValue(value, type, this.#packages.program)
  }
}
