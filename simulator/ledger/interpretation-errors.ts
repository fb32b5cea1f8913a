/** The refusals of the interpreter, worded and filled as the reference participant 3.5.10 was seen to do. */
import { type DamlIdentifier, type DamlRecord, type DamlValue, printIdentifier } from '../../interface/daml-value.js'
import type { ChoiceContext, Template } from '../../model/description.js'
import {
  commandPreprocessingFailed,
  contractDoesNotImplementInterface,
  contractKeyNotFound,
  contractNotActive,
  contractNotFound,
  damlAuthorizationError,
  damlFailure,
  type LedgerError,
  RedactedError,
  ReferenceFault,
  templatePreconditionViolated,
  upgradeTranslationFailed,
  wronglyTypedContract,
} from '../base/errors.js'
import type { Contract } from './contract.js'
import { hasKnownSuffix, isUnsuffixed } from './contract-id.js'
import { encodeLfValue } from './lf-value.js'

const short = ({ packageId, module, entity }: DamlIdentifier): string => `${module}:${entity}@${packageId.slice(0, 8)}`

/** As traces of choices name a template. */
const traced = ({ packageId, module, entity }: DamlIdentifier): string => `${packageId.slice(0, 8)}:${module}:${entity}`

/** An id that names no contract: what the answer is depends on what is wrong with the id. */
export function contractUnknown(id: string): LedgerError | ReferenceFault {
  if (isUnsuffixed(id)) {
    return commandPreprocessingFailed(
      'interpretation',
      `Illegal Contract ID "${id}", non-suffixed V1 Contract IDs are forbidden`,
    )
  }
  const proper = contractNotFound('interpretation', `Contract could not be found with id ${id}`, {
    resources: [['CONTRACT_ID', id]],
  })
  return hasKnownSuffix(id) ? proper : new ReferenceFault(new RedactedError('INTERNAL'), proper)
}

export function contractConsumed(contract: Contract, consumer: number): LedgerError {
  const problem = `Update failed due to fetch of an inactive contract ${contract.id} (${short(contract.template)}).`
  return contractNotActive(
    'interpretation',
    `Interpretation error: Error: ${problem}\nThe contract had been consumed in sub-transaction #NodeId(${consumer}):`,
    {
      resources: [
        ['TEMPLATE_ID', printIdentifier(contract.template)],
        ['CONTRACT_ID', contract.id],
      ],
    },
  )
}

export function wrongTemplate(contract: Contract, expected: DamlIdentifier): LedgerError {
  return wronglyTypedContract(
    'interpretation',
    `Interpretation error: Error: wrongly typed contract id ${contract.id}\nExpected contract of type ${short(expected)} but got ${short(contract.template)}`,
    {
      resources: [
        ['CONTRACT_ID', contract.id],
        ['TEMPLATE_ID', printIdentifier(expected)],
        ['TEMPLATE_ID', printIdentifier(contract.template)],
      ],
    },
  )
}

export function notImplementing(contract: Contract, expected: DamlIdentifier): LedgerError {
  return contractDoesNotImplementInterface(
    'interpretation',
    `Interpretation error: Error: Update failed due to contract ${contract.id} not implementing an interface\nExpected contract to implement interface ${short(expected)} but contract has type ${short(contract.template)}`,
    {
      resources: [
        ['CONTRACT_ID', contract.id],
        ['TEMPLATE_ID', printIdentifier(contract.template)],
        ['INTERFACE_ID', printIdentifier(expected)],
      ],
    },
  )
}

export function unauthorized(
  node: number,
  template: DamlIdentifier,
  needed: readonly string[],
  given: readonly string[],
): LedgerError {
  return damlAuthorizationError(
    'interpretation',
    `Interpretation error: Error: node NodeId(${node}) (${printIdentifier(template)}) requires authorizers ${needed.join(',')}, but only ${given.join(',')} were given`,
  )
}

export function keyUnknown(template: Template, key: DamlValue, packageName: string): LedgerError {
  return contractKeyNotFound(
    'interpretation',
    `Interpretation error: Error: couldn't find key of template ${short(template.id)}`,
    {
      resources: [
        ['TEMPLATE_ID', printIdentifier(template.id)],
        ['CONTRACT_KEY', encodeLfValue(key).toString('base64')],
        ['PACKAGE_NAME', packageName],
      ],
    },
  )
}

export function preconditionViolated(template: Template, argument: DamlRecord): LedgerError {
  const name = short(template.id)
  if (!template.ensure?.throws) {
    return templatePreconditionViolated(
      'interpretation',
      `Interpretation error: Error: Update failed due to precondition violation when creating ${name} with ${argument.fields.length} fields`,
    )
  }
  const id = 'UNHANDLED_EXCEPTION/DA.Exception.PreconditionFailed:PreconditionFailed'
  return damlFailure(9)(
    'interpretation',
    `Interpretation error: Error: User failure: ${id} (error category 9): Template precondition violated: ${template.id.entity}`,
    { context: { error_id: id, exercise_trace: `    in create command ${traced(template.id)}.\n` } },
  )
}

export function failed(contract: Contract, choice: string, failure: Parameters<ChoiceContext['fail']>[0]): LedgerError {
  const step = `${traced(contract.template)}:${choice} on contract ${contract.id.slice(0, 10)}`
  return damlFailure(failure.category)(
    'interpretation',
    `Interpretation error: Error: User failure: ${failure.errorId} (error category ${failure.category}): ${failure.message}`,
    {
      context: {
        ...failure.metadata,
        ...(failure.errorId !== '' && { error_id: failure.errorId }),
        exercise_trace: `    in choice ${step} (#0)\n    in exercise command ${step}.\n`,
      },
    },
  )
}

export function notTranslatable(contract: Contract, template: Template): LedgerError {
  return upgradeTranslationFailed(
    'interpretation',
    `Interpretation error: Error: Failed to translate create argument of contract ${contract.id} from ${short(contract.template)} to ${short(template.id)}`,
    {
      resources: [
        ['NULLABLE_CONTRACT_ID', contract.id],
        ['TEMPLATE_ID', printIdentifier(contract.template)],
        ['TEMPLATE_ID', printIdentifier(template.id)],
        ['CONTRACT_ARG', encodeLfValue(contract.argument).toString('base64')],
      ],
    },
  )
}
