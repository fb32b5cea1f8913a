import { illTyped } from '../../../daml/machine/failures.js'
import { viewOf as evaluateView, toInterface } from '../../../daml/machine/interfaces.js'
import { Machine } from '../../../daml/machine/machine.js'
import { apply } from '../../../daml/machine/task.js'
import { HostFunctionValue } from '../../../daml/machine/values.js'
import { exportValue, importValue } from '../../../daml/schema/conversion.js'
import type { InterfaceSchema } from '../../../daml/schema/schema.js'
import type { DamlRecord } from '../../../interface/daml-value.js'
import type { PackageStore } from '../packages/package-store.js'
import type { Contract } from './contract.js'
import { boundsOfTerms } from './contract-terms.js'

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
  const fun = new HostFunctionValue(1, ([given]) =>
    evaluateView(given ?? illTyped('the contract is missing'), id, machine),
  )
  const seen = machine.complete(apply(fun, [toInterface(value, template.id)]))
  const found = exportValue(seen, view, (steps) => machine.spend(steps))
  return found.kind === 'record' ? found : illTyped('the view is not a record')
}
