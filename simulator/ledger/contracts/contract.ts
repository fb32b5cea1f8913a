import type { Template } from '../../../daml/language/package.js'
import { EvaluationFailure, illTyped } from '../../../daml/machine/failures.js'
import { apply, evaluate, perform } from '../../../daml/machine/frames.js'
import { viewOf as evaluateView, toInterface } from '../../../daml/machine/interfaces.js'
import { Machine } from '../../../daml/machine/machine.js'
import { Environment, type Request, unit, type Value } from '../../../daml/machine/values.js'
import { exportValue, importValue, TranslationError } from '../../../daml/schema/conversion.js'
import type { InterfaceSchema } from '../../../daml/schema/schema.js'
import { sha256 } from '../../../interface/crypto-hash.js'
import type { DamlIdentifier, DamlRecord, DamlValue } from '../../../interface/daml-value.js'
import { bytesField } from '../../../lib/protobuf/protobuf.js'
import { inOnePiece, sortedSet } from '../../base/strings.js'
import type { PackageStore } from '../packages/package-store.js'
import { encodeLfValue } from './lf-value.js'

export interface ContractKey {
  value: DamlValue
  maintainers: string[]
}

export interface Stakeholders {
  signatories: string[]
  /** Without the signatories. */
  observers: string[]
}

export interface NamedTemplate {
  template: DamlIdentifier
  packageName: string
}

/** What the id follows from. */
interface ContractContent extends NamedTemplate, Stakeholders {
  argument: DamlRecord
  key?: ContractKey
  /** Ledger time of the creation, in microseconds. */
  createdAt: bigint
  /** Hex of 32 random bytes that hide the content in the id. */
  salt: string
}

/** As created; the ledger records whether it is active. */
export interface Contract extends ContractContent {
  id: string
}

export interface Disclosed {
  contract: Contract
  /** As the submission states it; empty: not stated. */
  synchronizerId: string
  /** Called when a command uses the contract. Throws `LedgerError` if its id does not follow from its content. */
  authenticate?(): void
}

export const stakeholders = ({ signatories, observers }: Stakeholders): string[] => [...signatories, ...observers]

export const isStakeholder = (contract: Contract, parties: Iterable<string>): boolean => {
  const known = new Set(stakeholders(contract))
  for (const party of parties) if (known.has(party)) return true
  return false
}

/** Suffix version and multihash head, observed with protocol versions 34 and 35. */
const suffixHead = 'ca121220'
const knownSuffixes = /^ca1[0-2]1220[0-9a-f]{64}$/

/** Binds the id to the content, which authenticates disclosed contracts. */
function suffix(discriminator: string, contract: ContractContent): string {
  const { packageId, module, entity } = contract.template
  const content = [
    bytesField(1, discriminator),
    bytesField(2, contract.packageName),
    bytesField(3, `${packageId}:${module}:${entity}`),
    bytesField(4, encodeLfValue(contract.argument)),
    ...contract.signatories.map((party) => bytesField(5, party)),
    ...contract.observers.map((party) => bytesField(6, party)),
    bytesField(7, String(contract.createdAt)),
    bytesField(8, Buffer.from(contract.salt, 'hex')),
  ]
  return suffixHead + sha256(Buffer.concat(content)).toString('hex')
}

/** Version 1: `00`, 32 bytes of discriminator, and the suffix. */
export function contractId(discriminator: string, contract: ContractContent): string {
  return inOnePiece(`00${discriminator}${suffix(discriminator, contract)}`)
}

export function isAuthentic(contract: Contract): boolean {
  const discriminator = contract.id.slice(2, 66)
  return contract.id === contractId(discriminator, contract)
}

export const isUnsuffixed = (id: string): boolean => id.startsWith('00') && id.length === 66

export const hasKnownSuffix = (id: string): boolean => id.startsWith('00') && knownSuffixes.test(id.slice(66))

/** 32 bytes, opaque to clients, so the simulator has its own definition. */
export const keyHash = ({ packageName, template }: NamedTemplate, { value }: ContractKey): Buffer =>
  sha256(
    Buffer.concat([Buffer.from(JSON.stringify([packageName, template.module, template.entity])), encodeLfValue(value)]),
  )

export interface ContractTerms extends Stakeholders {
  key?: ContractKey
  /** False: the precondition does not hold. */
  admissible: boolean
}

/** The task ends with `EvaluationFailure` or an exception of the template. */
export function* contractTerms(
  template: Template,
  contract: Value,
  packages: PackageStore,
): Generator<Request, ContractTerms, Value> {
  const environment = new Environment(template.param, contract, undefined)
  if ((yield evaluate(template.precondition, environment)) !== true) {
    return { admissible: false, signatories: [], observers: [] }
  }
  const signatories = partiesIn(yield evaluate(template.signatories, environment))
  const observers = partiesIn(yield evaluate(template.observers, environment)).filter(
    (party) => !signatories.includes(party),
  )
  const { key } = template
  if (!key) return { admissible: true, signatories, observers }
  const value = yield evaluate(key.value, environment)
  const maintainers = partiesIn(yield apply(yield evaluate(key.maintainers, undefined), [value]))
  const stored = exportValue(value, packages.types.of(key.type), () => undefined)
  return { admissible: true, signatories, observers, key: { value: stored, maintainers } satisfies ContractKey }
}

/** Sorted, without duplicates. */
export function partiesIn(value: Value): string[] {
  if (typeof value !== 'object' || (value.kind !== 'nil' && value.kind !== 'cons')) {
    return illTyped('a list of parties is expected')
  }
  const parties: string[] = []
  for (let rest = value; rest.kind === 'cons'; rest = rest.tail) parties.push(String(rest.head))
  return sortedSet(parties)
}

/** Undefined if the argument cannot be evaluated. */
export function derivedTerms(
  id: DamlIdentifier,
  argument: DamlRecord,
  packages: PackageStore,
): ContractTerms | undefined {
  try {
    return termsOf(id, argument, packages)
  } catch (error) {
    if (error instanceof EvaluationFailure || error instanceof TranslationError) return undefined
    throw error
  }
}

/** Evaluates without yielding. Throws `EvaluationFailure` and `TranslationError`. */
function termsOf(id: DamlIdentifier, argument: DamlRecord, packages: PackageStore): ContractTerms {
  const { program, types } = packages
  const contract = importValue(argument, types.record(id), program)
  let found: ContractTerms | undefined
  function* task(): Generator<Request, Value, Value> {
    found = yield* contractTerms(program.template(id), contract, packages)
    return unit
  }
  new Machine(program, undefined, boundsOfTerms).complete(perform(task()))
  return found ?? illTyped('the contract has no terms')
}

/** About 0.1 s; the event loop is blocked. */
const boundsOfTerms = { steps: 1_000_000, memory: 256 * 1024 * 1024 }

/** Throws `EvaluationFailure` if the view fails, `TranslationError` if that package version cannot read the contract. */
export function viewOf(
  contract: Contract,
  { id, view }: InterfaceSchema,
  implementation: string,
  packages: PackageStore,
): DamlRecord {
  const { program, types } = packages
  const template = program.template({ ...contract.template, packageId: implementation })
  const value = importValue(contract.argument, types.record(template.id), program)
  const machine = new Machine(program, undefined, boundsOfTerms)
  const seen = machine.complete(() => evaluateView(toInterface(value, template.id), id, machine))
  const found = exportValue(seen, view, (steps) => machine.spend(steps))
  return found.kind === 'record' ? found : illTyped('the view is not a record')
}
