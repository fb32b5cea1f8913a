import type { Template } from '../../../daml/language/package.js'
import { illTyped } from '../../../daml/machine/failures.js'
import { sameIdentifier } from '../../../daml/machine/program.js'
import type { Request, Value } from '../../../daml/machine/values.js'
import { exportValue, importValue, NestingError, TranslationError } from '../../../daml/schema/conversion.js'
import type { DamlType, RecordType } from '../../../daml/schema/schema.js'
import type { DamlIdentifier, DamlRecord, DamlValue } from '../../../interface/daml-value.js'
import { type Contract, type ContractTerms, contractTerms } from '../contracts/contract.js'
import type { PackageStore } from '../packages/package-store.js'
import { type Actors, isUnderKey, type LedgerView, sameValue } from '../state/ledger-view.js'
import * as refusal from './interpretation-errors.js'
import { valueNesting } from './interpretation-errors.js'

interface Read {
  contract: Contract
  value: Value
}

export class ContractReader {
  readonly #actors: Actors
  readonly #view: LedgerView
  readonly #values: ValueExchange
  readonly #created = new Map<string, Read>()
  readonly #consumedBy = new Map<string, number>()
  /** By contract id and package id. */
  readonly #read = new Map<string, Read>()

  constructor(actors: Actors, view: LedgerView, values: ValueExchange) {
    this.#actors = actors
    this.#view = view
    this.#values = values
  }

  created(contract: Contract, value: Value): void {
    this.#created.set(contract.id, { contract, value })
  }

  consume({ id }: Contract, node: number): void {
    this.#consumedBy.set(id, node)
  }

  /** Accepts contracts of any version of the package. */
  *asTemplate(id: string, template: Template): Generator<Request, Read, Value> {
    const contract = this.#lookUp(id)
    if (!this.#isVersionOf(contract, template.id)) throw refusal.wrongTemplate(contract, template.id)
    return yield* this.#as(contract, template)
  }

  *asInterface(id: string, of: DamlIdentifier): Generator<Request, Read & { template: Template }, Value> {
    const contract = this.#lookUp(id)
    const packageId = this.#view.resolve(contract.packageName)
    if (packageId === undefined) throw refusal.packageUnresolved(contract.packageName)
    const { program } = this.#view.packages
    const { module, entity } = contract.template
    const template = program.template({ packageId, module, entity })
    if (!program.instance(template.id, of)) throw refusal.notImplementing(contract, of)
    return { ...(yield* this.#as(contract, template)), template }
  }

  *#as(contract: Contract, template: Template): Generator<Request, Read, Value> {
    const created = this.#created.get(contract.id)
    const isOwn = sameIdentifier(contract.template, template.id)
    if (created && isOwn) return created
    const key = `${contract.id} ${template.id.packageId}`
    const known = this.#read.get(key)
    if (known) return known
    const value = this.#translated(contract, template)
    if (!isOwn) yield* this.#refuseOtherTerms(contract, template, value)
    const read = { contract, value }
    this.#read.set(key, read)
    return read
  }

  #translated(contract: Contract, template: Template): Value {
    try {
      return this.#values.translate(contract.argument, this.#view.packages.types.record(template.id))
    } catch (error) {
      throw error instanceof TranslationError ? refusal.notTranslatable(contract, template.id) : error
    }
  }

  /** A different version of the template must compute the same parties and key. */
  *#refuseOtherTerms(contract: Contract, template: Template, value: Value): Generator<Request, void, Value> {
    const terms = yield* contractTerms(template, value, this.#view.packages)
    if (terms.admissible && sameTerms(terms, contract)) return
    throw refusal.termsChanged(contract, template.id, terms)
  }

  #lookUp(id: string): Contract {
    const found = this.#created.get(id)?.contract ?? this.#view.contract(id)
    if (!found || !this.#isVisible(found)) throw refusal.contractUnknown(id)
    const consumer = this.#consumedBy.get(id)
    if (consumer !== undefined) throw refusal.contractConsumed(found, consumer)
    return found
  }

  #isVisible(contract: Contract): boolean {
    const { actAs, readAs, disclosed } = this.#actors
    const { id } = contract
    return this.#created.has(id) || disclosed.has(id) || this.#view.isVisible(contract, actAs, readAs)
  }

  #isVersionOf({ template, packageName }: Contract, wanted: DamlIdentifier): boolean {
    return (
      template.module === wanted.module &&
      template.entity === wanted.entity &&
      packageName === this.#view.packages.get(wanted.packageId)?.name
    )
  }

  byKey(template: Template, key: DamlValue): string {
    const [found] = this.allByKey(template, key)
    const packageName = this.#view.packages.get(template.id.packageId)?.name ?? ''
    if (found === undefined) throw refusal.keyUnknown(template.id, key, packageName)
    return found
  }

  /** Own contracts, then disclosed, then others; each newest first. */
  allByKey(template: Template, key: DamlValue): string[] {
    const own = [...this.#created.values()].map(({ contract }) => contract).reverse()
    const others = this.#view.contractsByKey(template.id, key).filter((contract) => this.#isVisible(contract))
    const { disclosed } = this.#actors
    const found = [
      ...own.filter((contract) => isUnderKey(contract, template.id, key)),
      ...others.filter(({ id }) => disclosed.has(id)),
      ...others.filter(({ id }) => !disclosed.has(id)),
    ]
    return [...new Set(found.map(({ id }) => id))].filter((id) => !this.#consumedBy.has(id))
  }
}

function sameTerms(terms: ContractTerms, contract: Contract): boolean {
  const [{ key }, { key: other }] = [terms, contract]
  return (
    terms.signatories.join() === contract.signatories.join() &&
    terms.observers.join() === contract.observers.join() &&
    key?.maintainers.join() === other?.maintainers.join() &&
    (!key || !other || sameValue(key.value, other.value))
  )
}

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
