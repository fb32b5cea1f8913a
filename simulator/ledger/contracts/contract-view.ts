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

/**
 * The view of a contract, as that version of its package computes it. Throws `EvaluationFailure` where the view fails,
 * `TranslationError` where the version cannot see the contract.
 */
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
    evaluateView(given ?? illTyped('there is no contract'), id, machine),
  )
  const seen = machine.complete(apply(fun, [toInterface(value, template.id)]))
  const found = exportValue(seen, view, (steps) => machine.spend(steps))
  return found.kind === 'record' ? found : illTyped('a view is no record')
}
