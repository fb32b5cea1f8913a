import { tuple2 } from '../../../daml/language/builtins.js'
import type { Choice, Interface, Template } from '../../../daml/language/package.js'
import type { Effects, TryMark } from '../../../daml/machine/evaluator.js'
import { illTyped } from '../../../daml/machine/failures.js'
import { apply, evaluate, run } from '../../../daml/machine/frames.js'
import { toInterface } from '../../../daml/machine/interfaces.js'
import { sameIdentifier } from '../../../daml/machine/program.js'
import {
  type AnyValue,
  Environment,
  listOf,
  none,
  type Request,
  type Task,
  type Value,
} from '../../../daml/machine/values.js'
import type { DamlIdentifier, DamlValue } from '../../../interface/daml-value.js'
import { languageVersionNotAllowed } from '../../base/errors.js'
import { sortedSet } from '../../base/strings.js'
import {
  type Contract,
  contractId,
  contractTerms,
  isStakeholder,
  partiesIn,
  stakeholders,
} from '../contracts/contract.js'
import type { PackageStore } from '../packages/package-store.js'
import { childSeed, discriminator, type Seeding } from '../state/entropy.js'
import type { Actors, LedgerView } from '../state/ledger-view.js'
import type { TimeBounds } from '../transactions/transaction.js'
import type { TransactionBuilder } from '../transactions/transaction-builder.js'
import { ContractReader, type ValueExchange } from './contract-reader.js'
import * as refusal from './interpretation-errors.js'

/** Evaluation steps for hashing and storing a node. */
const stepsPerNode = 200

export class LedgerEffects implements Effects {
  readonly ledgerTime: TimeBounds = {}
  readonly #builder: TransactionBuilder
  readonly #values: ValueExchange
  readonly #contracts: ContractReader
  readonly #view: LedgerView
  readonly #packages: PackageStore
  readonly #now: bigint
  readonly #seeding: Seeding

  constructor(
    builder: TransactionBuilder,
    values: ValueExchange,
    { actors, view, now, seeding }: { actors: Actors; view: LedgerView; now: bigint; seeding: Seeding },
  ) {
    this.#builder = builder
    this.#values = values
    this.#view = view
    this.#packages = view.packages
    this.#now = now
    this.#seeding = seeding
    this.#contracts = new ContractReader(actors, view, values)
  }

  *create(id: DamlIdentifier, argument: Value): Task {
    this.#refuseLanguage(id)
    const { program, types } = this.#packages
    const template = program.template(id)
    const terms = yield* contractTerms(template, argument, this.#packages)
    const stored = this.#values.exportRecord(argument, types.record(id))
    if (!terms.admissible) throw refusal.preconditionViolated(template.id, stored)
    if (terms.key?.maintainers.length === 0) throw refusal.noMaintainers(template.id, terms.key.value)
    const { signatories, observers, key } = terms
    // Written out, so that all contracts share one hidden class, which saves memory.
    const contract: Contract = {
      id: '',
      template: template.id,
      packageName: this.#packages.get(id.packageId)?.name ?? '',
      argument: stored,
      signatories,
      observers,
      createdAt: this.#now,
      salt: this.#seeding.salt(),
    }
    if (key) contract.key = key
    this.#authorize(template.id, signatories)
    this.#values.spend(stepsPerNode)
    const seed = this.#builder.nextSeed()
    const made = contractId(discriminator(seed, this.#seeding.preparedAt, stakeholders(contract)), contract)
    contract.id = made
    this.#contracts.created(contract, argument)
    const witnesses = union(this.#builder.witnesses, stakeholders(contract))
    this.#builder.add({ kind: 'create', seed, contract, witnesses })
    return made
  }

  *exercise(id: DamlIdentifier, contractId: string, choiceName: string, argument: Value): Task {
    const template = this.#packages.program.template(id)
    const { contract, value } = yield* this.#contracts.asTemplate(contractId, template)
    const choice = this.#packages.program.choice(template, choiceName)
    return yield* this.#perform({ contract, value, template, definition: template, choice, argument, byKey: false })
  }

  *exerciseInterface(of: DamlIdentifier, contractId: string, choiceName: string, argument: Value): Task {
    const definition = this.#packages.program.interface(of)
    const { contract, value, template } = yield* this.#contracts.asInterface(contractId, of)
    const choice = this.#packages.program.choice(definition, choiceName)
    const seen = toInterface(value, template.id)
    return yield* this.#perform({ contract, value: seen, template, definition, choice, argument, byKey: false })
  }

  *exerciseByKey(id: DamlIdentifier, key: Value, choiceName: string, argument: Value): Task {
    const template = this.#packages.program.template(id)
    const found = this.#contracts.byKey(template, this.#keyOf(template, key))
    const { contract, value } = yield* this.#contracts.asTemplate(found, template)
    const choice = this.#packages.program.choice(template, choiceName)
    return yield* this.#perform({ contract, value, template, definition: template, choice, argument, byKey: true })
  }

  *#perform({ contract, value, template, definition, choice, argument, byKey }: Exercise): Task {
    const { types } = this.#packages
    const stored = this.#values.exportRecord(argument, types.recordOf(choice.argument.type))
    const environment = new Environment(
      choice.argument.name,
      argument,
      new Environment(choice.self, contract.id, new Environment(definition.param, value, undefined)),
    )
    const acting = partiesIn(yield evaluate(choice.controllers, environment))
    const choiceObservers = partiesIn(yield evaluate(choice.observers, environment))
    const node = this.#authorize(contract.template, acting)
    this.#values.spend(stepsPerNode)
    const seed = this.#builder.nextSeed()
    const informees = choice.consuming ? stakeholders(contract) : contract.signatories
    if (choice.consuming) this.#contracts.consume(contract, node)
    this.#builder.beginExercise(
      {
        kind: 'exercise',
        seed,
        contract,
        template: template.id,
        ...(definition !== template && { interface: definition.id }),
        choice: choice.name,
        argument: stored,
        acting,
        choiceObservers,
        byKey,
        consuming: choice.consuming,
        witnesses: union(this.#builder.witnesses, informees, acting, choiceObservers),
      },
      union(contract.signatories, acting),
      (position) => childSeed(seed, position),
    )
    const result = yield run(yield evaluate(choice.update, environment))
    this.#builder.endExercise(this.#values.export(result, types.of(choice.result)))
    return result
  }

  *fetch(id: DamlIdentifier, contractId: string): Task {
    const template = this.#packages.program.template(id)
    const { contract, value } = yield* this.#contracts.asTemplate(contractId, template)
    this.#addFetch(contract, { template: template.id, byKey: false })
    return value
  }

  *fetchInterface(of: DamlIdentifier, contractId: string): Task {
    const { contract, value, template } = yield* this.#contracts.asInterface(contractId, of)
    this.#addFetch(contract, { template: template.id, interface: of, byKey: false })
    return toInterface(value, template.id)
  }

  *fetchByKey(id: DamlIdentifier, key: Value): Task {
    const template = this.#packages.program.template(id)
    const found = this.#contracts.byKey(template, this.#keyOf(template, key))
    const { contract, value } = yield* this.#contracts.asTemplate(found, template)
    this.#addFetch(contract, { template: template.id, byKey: true })
    return this.#pair(found, value)
  }

  #addFetch(contract: Contract, as: { template: DamlIdentifier; interface?: DamlIdentifier; byKey: boolean }): void {
    const node = this.#builder.nextId()
    const { authorizers } = this.#builder
    if (!isStakeholder(contract, authorizers)) {
      throw refusal.fetchUnauthorized(node, contract, authorizers)
    }
    this.#values.spend(stepsPerNode)
    const acting = stakeholders(contract).filter((party) => authorizers.includes(party))
    const witnesses = union(this.#builder.witnesses, contract.signatories, acting)
    this.#builder.add({ kind: 'fetch', contract, ...as, acting, witnesses })
  }

  *queryByKey(id: DamlIdentifier, count: bigint, key: Value): Task {
    const template = this.#packages.program.template(id)
    const stored = this.#keyOf(template, key)
    const maintainers = yield* this.#maintainers(template, key)
    const node = this.#builder.nextId()
    const { authorizers, witnesses } = this.#builder
    if (!maintainers.every((party) => authorizers.includes(party))) {
      throw refusal.lookupUnauthorized(node, template.id, maintainers, authorizers)
    }
    if (count < 1n) throw refusal.queryForNothing(count)
    const all = this.#contracts.allByKey(template, stored)
    const found = count < BigInt(all.length) ? all.slice(0, Number(count)) : all
    const pairs: Value[] = []
    for (const one of found) {
      const { value } = yield* this.#contracts.asTemplate(one, template)
      pairs.push(this.#pair(one, value))
    }
    this.#values.spend(stepsPerNode)
    this.#builder.add({
      kind: 'query',
      template: template.id,
      packageName: this.#packages.get(id.packageId)?.name ?? '',
      key: { value: stored, maintainers },
      exhaustive: BigInt(all.length) < count,
      result: [...found],
      witnesses: union(witnesses, maintainers),
    })
    return pairs.length === 0 ? none : { kind: 'some', value: listOf(pairs) }
  }

  *#maintainers({ key }: Template, value: Value): Generator<Request, string[], Value> {
    if (!key) return illTyped('the template has no keys')
    const fun = yield evaluate(key.maintainers, undefined)
    return partiesIn(yield apply(fun, [value]))
  }

  #keyOf({ id, key }: Template, value: Value): DamlValue {
    if (!key) return illTyped(`${id.module}:${id.entity} has no keys`)
    return this.#values.export(value, this.#packages.types.of(key.type))
  }

  #pair(id: string, contract: Value): Value {
    return { kind: 'record', layout: this.#packages.program.layout(tuple2), fields: [id, contract] }
  }

  getTime(): bigint {
    this.ledgerTime.min = this.#now
    this.ledgerTime.max = this.#now
    return this.#now
  }

  isBefore(time: bigint): boolean {
    const { min, max } = this.ledgerTime
    if (this.#now < time) {
      if (max === undefined || time - 1n < max) this.ledgerTime.max = time - 1n
      return true
    }
    if (min === undefined || time > min) this.ledgerTime.min = time
    return false
  }

  beginTry(): TryMark {
    return this.#builder.beginTry()
  }

  endTry(mark: TryMark): void {
    this.#builder.endTry(mark)
  }

  rollBack(mark: TryMark): void {
    const lasting = this.#builder.rollBack(mark)
    if (lasting.length > 0) throw refusal.effectfulRollback(lasting)
  }

  upgradeContract({ value, type }: AnyValue, template: DamlIdentifier): Value {
    if (type.kind !== 'con') return illTyped('the contract has no template')
    const { types } = this.#packages
    return this.#values.translate(this.#values.exportRecord(value, types.record(type.id)), types.record(template))
  }

  isVersionOf(a: DamlIdentifier, b: DamlIdentifier): boolean {
    const nameOf = (id: DamlIdentifier) => this.#packages.get(id.packageId)?.name
    return sameIdentifier(a, b) || (nameOf(a) === nameOf(b) && a.module === b.module && a.entity === b.entity)
  }

  notImplemented(contractId: string, { type }: AnyValue, of: DamlIdentifier): Error {
    if (type.kind !== 'con') return illTyped('the contract has no template')
    return refusal.notImplementing({ id: contractId, template: type.id }, of)
  }

  /** Returns the id that messages use for the node. */
  #authorize(template: DamlIdentifier, needed: readonly string[]): number {
    const node = this.#builder.nextId()
    const { authorizers } = this.#builder
    if (needed.length === 0) throw refusal.noAuthorizers(node, template)
    if (needed.every((party) => authorizers.includes(party))) return node
    throw refusal.unauthorized(node, template, needed, authorizers)
  }

  #refuseLanguage({ packageId }: DamlIdentifier): void {
    const home = this.#packages.get(packageId)
    if (!home || languageAllowed(home.language, this.#view.protocolVersion)) return
    throw languageVersionNotAllowed(
      'interpretation',
      `Disallowed language version in package ${home.id}: Expected version range is List(2.1, 2.2) but got ${home.language}`,
    )
  }
}

interface Exercise {
  contract: Contract
  /** The record, or the contract as an interface. */
  value: Value
  template: Template
  /** The owner of the choice. */
  definition: Template | Interface
  choice: Choice
  argument: Value
  byKey: boolean
}

/** Protocol version 34 runs Daml-LF 2.1 and 2.2, version 35 also 2.3 (observed). */
const languageAllowed = (language: string, protocolVersion: number): boolean =>
  protocolVersion >= 35 || language === '2.1' || language === '2.2'

const union = (...lists: readonly (readonly string[])[]): string[] => sortedSet(lists.flat())
