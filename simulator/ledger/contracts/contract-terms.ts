import type { Template } from '../../../daml/language/package.js'
import { illTyped } from '../../../daml/machine/failures.js'
import { apply, evaluate, perform } from '../../../daml/machine/frames.js'
import { viewOf as evaluateView, toInterface } from '../../../daml/machine/interfaces.js'
import { Machine } from '../../../daml/machine/machine.js'
import { Environment, type Request, unit, type Value } from '../../../daml/machine/values.js'
import { exportValue, importValue } from '../../../daml/schema/conversion.js'
import type { InterfaceSchema } from '../../../daml/schema/schema.js'
import type { DamlIdentifier, DamlRecord } from '../../../interface/daml-value.js'
import { sortedSet } from '../../base/strings.js'
import type { PackageStore } from '../packages/package-store.js'
import type { Contract, ContractKey } from './contract.js'

export interface ContractTerms extends Pick<Contract, 'signatories' | 'observers' | 'key'> {
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

/** Evaluates without yielding. Throws `EvaluationFailure` and `TranslationError`. */
export function termsOf(id: DamlIdentifier, argument: DamlRecord, packages: PackageStore): ContractTerms {
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
