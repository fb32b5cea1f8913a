/**
 * Runs commands against a view of the ledger and says what they would do. Pure but for the seeds it is given: nothing is
 * committed, and any refusal leaves nothing behind.
 */
import { type DamlIdentifier, type DamlRecord, type DamlValue, printIdentifier } from '../../interface/daml-value.js'
import type { ChoiceContext, InterfaceInstance, Template } from '../../model/description.js'
import { languageVersionNotAllowed } from '../base/errors.js'
import type { ChoiceTarget, LedgerCommand } from './command.js'
import { type Contract, isStakeholder, parties, stakeholders } from './contract.js'
import { contractId } from './contract-id.js'
import * as refusal from './interpretation-errors.js'
import type { PackageStore } from './package-store.js'
import { childSeed, discriminator, type Seeding } from './seeding.js'
import type { ExerciseNode, Interpretation, Node } from './transaction.js'
import { upgradeRecord } from './upgrade.js'

/** What the interpreter may ask of the ledger. */
export interface LedgerView {
  packages: PackageStore
  protocolVersion: number
  /** An active contract, or one that was disclosed. */
  contract(id: string): Contract | undefined
  /** Active contracts of a template name with that key, the latest first; then disclosed ones. */
  contractsByKey(template: Template, key: DamlValue): Contract[]
}

export interface Actors {
  actAs: readonly string[]
  readAs: readonly string[]
  /** Ids of contracts that the submission discloses: visible to it whoever has a stake in them. */
  disclosed: ReadonlySet<string>
}

/** Interprets the commands in order as one transaction; throws `LedgerError` (origin `interpretation`) when it refuses. */
export function interpret(
  commands: readonly LedgerCommand[],
  actors: Actors,
  view: LedgerView,
  now: bigint,
  seeding: Seeding,
): Interpretation {
  const run = new Run(actors, view, now, seeding)
  for (const command of commands) run.command(command)
  return run.result()
}

/** Where in the transaction a node arises. */
interface Place {
  /** Whose authority there is. */
  authorizers: readonly string[]
  /** Who learns of the node because they learn of the one above. */
  witnesses: readonly string[]
  /** The seed for the next create or exercise here. */
  nextSeed(): Buffer
}

class Run {
  readonly #actors: Actors
  readonly #view: LedgerView
  readonly #now: bigint
  readonly #seeding: Seeding
  readonly #nodes: Node[] = []
  readonly #created = new Map<string, Contract>()
  readonly #consumedBy = new Map<string, number>()
  #readsTime = false
  #nextId = 0
  #roots = 0

  constructor(actors: Actors, view: LedgerView, now: bigint, seeding: Seeding) {
    this.#actors = actors
    this.#view = view
    this.#now = now
    this.#seeding = seeding
  }

  result(): Interpretation {
    const nodes = this.#nodes.sort((a, b) => a.id - b.id)
    const informees = [...new Set(nodes.flatMap(({ witnesses }) => witnesses))].sort()
    return { nodes, readsTime: this.#readsTime, informees }
  }

  command(command: LedgerCommand): void {
    const root: Place = {
      authorizers: this.#actors.actAs,
      witnesses: [],
      nextSeed: () => this.#seeding.root(this.#roots++),
    }
    if (command.kind === 'create') {
      this.#create(command.template, command.argument, root)
    } else if (command.kind === 'createAndExercise') {
      const id = this.#create(command.template, command.createArgument, root)
      this.#exercise(id, command.target, command.argument, root)
    } else if (command.kind === 'exercise') {
      this.#exercise(command.contractId, command.target, command.argument, root)
    } else {
      const id = this.#byKey(command.template, command.key)
      this.#exercise(id, command.target, command.argument, root)
    }
  }

  #create(template: Template, argument: DamlRecord, place: Place): string {
    const { packages, protocolVersion } = this.#view
    const home = packages.get(template.id.packageId)
    if (home && !languageAllowed(home.language, protocolVersion)) {
      throw languageVersionNotAllowed(
        'interpretation',
        `Disallowed language version in package ${home.id}: Expected version range is List(2.1, 2.2) but got ${home.language}`,
      )
    }
    if (template.ensure && !template.ensure.holds(argument)) throw refusal.preconditionViolated(template, argument)
    const content: Omit<Contract, 'id'> = {
      template: template.id,
      packageName: home?.name ?? '',
      argument,
      ...parties(template, argument),
      ...(template.key && { key: keyOf(template.key, argument) }),
      createdAt: this.#now,
      salt: this.#seeding.salt(),
    }
    const node = this.#nextId++
    this.#authorize(node, template.id, content.signatories, place)
    const seed = place.nextSeed()
    const id = contractId(discriminator(seed, this.#seeding.preparedAt, stakeholders(content)), content)
    const contract: Contract = { ...content, id }
    this.#created.set(id, contract)
    const witnesses = union(place.witnesses, stakeholders(contract))
    this.#nodes.push({ kind: 'create', id: node, seed, contract, witnesses })
    return id
  }

  /** The contract, if this submission may use it: created here, disclosed, or visible to one of its readers - and not consumed yet. */
  #lookUp(id: string): Contract {
    const found = this.#created.get(id) ?? this.#view.contract(id)
    if (!found) throw refusal.contractUnknown(id)
    const readers = [...this.#actors.actAs, ...this.#actors.readAs]
    const visible = this.#created.has(id) || this.#actors.disclosed.has(id) || isStakeholder(found, readers)
    if (!visible) throw refusal.contractUnknown(id)
    const consumer = this.#consumedBy.get(id)
    if (consumer !== undefined) throw refusal.contractConsumed(found, consumer)
    return found
  }

  #byKey(template: Template, key: DamlValue): string {
    const readers = [...this.#actors.actAs, ...this.#actors.readAs]
    const candidates = [...this.#created.values()].reverse().filter((contract) => hasKey(contract, template, key))
    const isVisible = (contract: Contract): boolean =>
      this.#actors.disclosed.has(contract.id) || isStakeholder(contract, readers)
    candidates.push(...this.#view.contractsByKey(template, key).filter(isVisible))
    const found = candidates.find(({ id }) => !this.#consumedBy.has(id))
    if (!found) throw refusal.keyUnknown(template, key, this.#view.packages.get(template.id.packageId)?.name ?? '')
    return found.id
  }

  #exercise(id: string, target: ChoiceTarget, argument: DamlRecord, place: Place): DamlValue {
    const contract = this.#lookUp(id)
    const { template, instance } = this.#implementation(contract, target)
    const payload = upgradeRecord(contract.argument, template.argument)
    if (!payload) throw refusal.notTranslatable(contract, template)
    const acting = [...new Set(controllers(target, payload, argument, template, instance))].sort()
    const node = this.#nextId++
    this.#authorize(node, contract.template, acting, place)
    const seed = place.nextSeed()
    if (target.choice.consuming) this.#consumedBy.set(id, node)
    const informees = target.choice.consuming ? stakeholders(contract) : contract.signatories
    const witnesses = union(place.witnesses, informees, acting)
    const below = placeBelow(seed, union(contract.signatories, acting), witnesses)
    const context = this.#context(id, contract, target.choice.name, below)
    const exercised: ExerciseNode = {
      kind: 'exercise',
      id: node,
      seed,
      contract,
      template: template.id,
      ...(target.interface && { interface: target.interface.id }),
      choice: target.choice.name,
      argument,
      argumentType: target.choice.argument,
      acting,
      consuming: target.choice.consuming,
      result: body(target, payload, argument, context, instance),
      resultType: target.choice.result,
      lastDescendant: this.#nextId - 1,
      witnesses,
    }
    this.#nodes.push(exercised)
    return exercised.result
  }

  /** The template (and, for an interface choice, the instance) by which the contract is exercised. */
  #implementation(contract: Contract, target: ChoiceTarget): { template: Template; instance?: InterfaceInstance } {
    if (target.template) {
      if (!sameTemplate(contract, target.template, this.#view.packages)) {
        throw refusal.wrongTemplate(contract, target.template.id)
      }
      return { template: target.template }
    }
    const template = this.#view.packages.template(contract.template)
    const instance = template?.implements.find((item) => sameIdentifier(item.interface.id, target.interface.id))
    if (!template || !instance) throw refusal.notImplementing(contract, target.interface.id)
    return { template, instance }
  }

  #context(self: string, contract: Contract, choiceName: string, place: Place): ChoiceContext {
    return {
      self,
      now: () => {
        this.#readsTime = true
        return this.#now
      },
      create: (id, argument) => this.#create(this.#template(id), argument, place),
      fetch: (id, wanted) => this.#fetch(wanted, id, place),
      exercise: (id, wanted, choice, argument) => {
        const template = this.#template(id)
        const found = template.choices.find(({ name }) => name === choice)
        if (!found || argument.kind !== 'record') throw new Error(`${printIdentifier(id)} has no choice ${choice}`)
        return this.#exercise(wanted, { template, choice: found }, argument, place)
      },
      fail: (failure) => {
        throw refusal.failed(contract, choiceName, failure)
      },
    }
  }

  #fetch(id: string, as: DamlIdentifier, { authorizers, witnesses }: Place): DamlRecord {
    const contract = this.#lookUp(id)
    const template = this.#template(as)
    if (!sameTemplate(contract, template, this.#view.packages)) throw refusal.wrongTemplate(contract, as)
    const node = this.#nextId++
    if (!isStakeholder(contract, authorizers)) {
      throw refusal.unauthorized(node, contract.template, stakeholders(contract), authorizers)
    }
    const payload = upgradeRecord(contract.argument, template.argument)
    if (!payload) throw refusal.notTranslatable(contract, template)
    const seenBy = union(witnesses, contract.signatories)
    this.#nodes.push({ kind: 'fetch', id: node, contract, template: template.id, witnesses: seenBy })
    return payload
  }

  #template(id: DamlIdentifier): Template {
    const found = this.#view.packages.template(id)
    if (!found) throw new Error(`the model refers to ${printIdentifier(id)}, which no held package has`)
    return found
  }

  #authorize(node: number, template: DamlIdentifier, needed: readonly string[], { authorizers }: Place): void {
    if (needed.every((party) => authorizers.includes(party))) return
    throw refusal.unauthorized(node, template, needed, authorizers)
  }
}

function placeBelow(seed: Buffer, authorizers: readonly string[], witnesses: readonly string[]): Place {
  let position = 0
  return { authorizers, witnesses, nextSeed: () => childSeed(seed, position++) }
}

function controllers(
  target: ChoiceTarget,
  payload: DamlRecord,
  argument: DamlRecord,
  template: Template,
  instance: InterfaceInstance | undefined,
): string[] {
  if (target.template) return target.choice.controllers(payload, argument)
  return instance ? target.choice.controllers(payload, argument, instance, template) : []
}

function body(
  target: ChoiceTarget,
  payload: DamlRecord,
  argument: DamlRecord,
  context: ChoiceContext,
  instance: InterfaceInstance | undefined,
): DamlValue {
  const nothing: DamlValue = { kind: 'unit' }
  if (target.template) return target.choice.body?.(payload, argument, context) ?? nothing
  return (instance && target.choice.body?.(payload, argument, context, instance)) ?? nothing
}

const union = (...lists: readonly (readonly string[])[]): string[] => [...new Set(lists.flat())].sort()

const sameIdentifier = (a: DamlIdentifier, b: DamlIdentifier): boolean => printIdentifier(a) === printIdentifier(b)

/** A template is the same in every version of its package. */
function sameTemplate(contract: Contract, template: Template, packages: PackageStore): boolean {
  return (
    contract.template.module === template.id.module &&
    contract.template.entity === template.id.entity &&
    contract.packageName === packages.get(template.id.packageId)?.name
  )
}

function keyOf(key: NonNullable<Template['key']>, argument: DamlRecord): NonNullable<Contract['key']> {
  const value = key.of(argument)
  return { value, maintainers: key.maintainers(value) }
}

function hasKey(contract: Contract, template: Template, key: DamlValue): boolean {
  return (
    contract.key !== undefined && sameIdentifier(contract.template, template.id) && sameValue(contract.key.value, key)
  )
}

/** Whether the contract is of the template, in whatever version of its package, and has that key. */
export const isUnderKey = (contract: Contract, { id }: Template, key: DamlValue): boolean =>
  contract.key !== undefined &&
  contract.template.module === id.module &&
  contract.template.entity === id.entity &&
  sameValue(contract.key.value, key)

/** Equality of Daml values of one type. */
function sameValue(a: DamlValue, b: DamlValue): boolean {
  const print = (value: DamlValue): string =>
    JSON.stringify(value, (_, item: unknown) => (typeof item === 'bigint' ? `${item}n` : item))
  return print(a) === print(b)
}

/** Protocol version 34 runs Daml-LF 2.1 and 2.2, later ones also 2.3 (seen on 34 and 35). */
const languageAllowed = (language: string, protocolVersion: number): boolean =>
  protocolVersion >= 35 || language === '2.1' || language === '2.2'
