/** Errors of the interpreter, as observed on the reference participant 3.5.10. */
import { type DamlIdentifier, type DamlRecord, type DamlValue, printIdentifier } from '../../../interface/daml-value.js'
import {
  commandPreprocessingFailed,
  contractDoesNotImplementInterface,
  contractKeyNotFound,
  contractNotActive,
  contractNotFound,
  damlAuthorizationError,
  effectfulRollbackError,
  emptyMaintainers,
  type LedgerError,
  packageNameUnresolved,
  RedactedError,
  ReferenceFault,
  templatePreconditionViolated,
  tooDeep,
  unsupportedContractId,
  upgradeTranslationFailed,
  upgradeValidationFailed,
  wronglyTypedContract,
} from '../../base/errors.js'
import { type Contract, hasKnownSuffix, isUnsuffixed, stakeholders } from '../contracts/contract.js'
import { encodeLfValue } from '../contracts/lf-value.js'
import type { Effect } from '../transactions/transaction-builder.js'

const short = ({ packageId, module, entity }: DamlIdentifier): string => `${module}:${entity}@${packageId.slice(0, 8)}`

export function contractUnknown(id: string): LedgerError | ReferenceFault {
  if (isUnsuffixed(id)) {
    return commandPreprocessingFailed(
      'interpretation',
      `Illegal Contract ID "${id}", non-suffixed V1 Contract IDs are forbidden`,
    )
  }
  const resources: [string, string][] = [['CONTRACT_ID', id]]
  if (hasKnownSuffix(id))
    return contractNotFound('interpretation', `Contract could not be found with id ${id}`, { resources })
  const message = `Interpretation error: Error: Update failed due to a unsupported contract ID ${id}`
  return new ReferenceFault(
    new RedactedError('INTERNAL', { traced: false }),
    unsupportedContractId('interpretation', message, { resources }),
    'server-error-for-unknown-contract-id-version',
  )
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

export function notImplementing(contract: Pick<Contract, 'id' | 'template'>, expected: DamlIdentifier): LedgerError {
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

export function fetchUnauthorized(node: number, contract: Contract, given: readonly string[]): LedgerError {
  return damlAuthorizationError(
    'interpretation',
    `Interpretation error: Error: node NodeId(${node}) (${printIdentifier(contract.template)}) requires one of the stakeholders ${treeSet(stakeholders(contract))} of the fetched contract to be an authorizer, but authorizers were ${treeSet(given)}`,
  )
}

/** Only maintainers learn whether a contract with the key exists. */
export function lookupUnauthorized(
  node: number,
  template: DamlIdentifier,
  needed: readonly string[],
  given: readonly string[],
): LedgerError {
  return damlAuthorizationError(
    'interpretation',
    `Interpretation error: Error: node NodeId(${node}) (${printIdentifier(template)}) requires authorizers ${treeSet(needed)} for lookup by key, but it only has ${treeSet(given)}`,
  )
}

const treeSet = (parties: readonly string[]): string => `TreeSet(${parties.toSorted().join(', ')})`

export function noAuthorizers(node: number, template: DamlIdentifier): LedgerError {
  return damlAuthorizationError(
    'interpretation',
    `Interpretation error: Error: node NodeId(${node}) (${printIdentifier(template)}) has neither signatories nor controllers`,
  )
}

/** The reference participant fails with an internal error in this case. */
export const queryForNothing = (count: bigint): ReferenceFault =>
  new ReferenceFault(
    new RedactedError('INTERNAL'),
    commandPreprocessingFailed('interpretation', `A query by key requests ${count} contracts, but the minimum is 1`),
    'server-error-for-empty-key-query',
  )

export const valueNesting = (): LedgerError =>
  tooDeep('interpretation', 'Interpretation error: Error: Value exceeds maximum nesting value of 100')

export const packageUnresolved = (name: string): LedgerError =>
  packageNameUnresolved(
    'interpretation',
    `Interpretation error: Error: Update failed due to a failed package name resolution: ${name}`,
    { resources: [['PACKAGE_NAME', name]] },
  )

export function effectfulRollback(effects: readonly Effect[]): LedgerError {
  const listed = effects.map(({ contract, ...effect }) =>
    effect.kind === 'create'
      ? `create of ${short(contract.template)}`
      : `exercise of ${short(contract.template)}:${effect.choice} on ${contract.id}`,
  )
  return effectfulRollbackError(
    'interpretation',
    `Interpretation error: Error: Tried to rollback side-effectful node(s): ${listed.join(', ')}`,
  )
}

export function noMaintainers(template: DamlIdentifier, key: DamlValue): LedgerError {
  return emptyMaintainers(
    'interpretation',
    `Interpretation error: Error: Update failed due to a contract key with an empty set of maintainers when creating an instance of ${short(template)}`,
    {
      resources: [
        ['TEMPLATE_ID', printIdentifier(template)],
        ['CONTRACT_KEY', encodeLfValue(key).toString('base64')],
      ],
    },
  )
}

export function termsChanged(contract: Contract, template: DamlIdentifier, terms: Terms): LedgerError {
  return upgradeValidationFailed(
    'interpretation',
    `Interpretation error: Error: Validation fails when trying to upgrade the contract ${contract.id} from ${short(contract.template)} to ${short(template)}`,
    { resources: termsResources(contract, template, terms) },
  )
}

type Terms = Pick<Contract, 'signatories' | 'observers'>

/** In the order of the reference participant. */
export function termsResources(contract: Contract, template: DamlIdentifier, terms: Terms): [string, string][] {
  const side = ({ signatories, observers }: Terms): [string, string][] => [
    ['PARTIES', signatories.join(',')],
    ['PARTIES', observers.join(',')],
    ['NULLABLE_CONTRACT_KEY', 'NULL'],
    ['NULLABLE_PACKAGE_NAME', 'NULL'],
    ['NULLABLE_PARTIES', 'NULL'],
  ]
  return [
    ['CONTRACT_ID', contract.id],
    ['TEMPLATE_ID', printIdentifier(contract.template)],
    ['TEMPLATE_ID', printIdentifier(template)],
    ['PACKAGE_NAME', contract.packageName],
    ['PACKAGE_NAME', contract.packageName],
    ...side(contract),
    ...side(terms),
  ]
}

export function keyUnknown(template: DamlIdentifier, key: DamlValue, packageName: string): LedgerError {
  return contractKeyNotFound(
    'interpretation',
    `Interpretation error: Error: couldn't find key of template ${short(template)}`,
    {
      resources: [
        ['TEMPLATE_ID', printIdentifier(template)],
        ['CONTRACT_KEY', encodeLfValue(key).toString('base64')],
        ['PACKAGE_NAME', packageName],
      ],
    },
  )
}

export const preconditionViolated = (template: DamlIdentifier, argument: DamlRecord): LedgerError =>
  templatePreconditionViolated(
    'interpretation',
    `Interpretation error: Error: Update failed due to precondition violation when creating ${short(template)} with ${argument.fields.length} fields`,
  )

export function notTranslatable(contract: Contract, template: DamlIdentifier): LedgerError {
  return upgradeTranslationFailed(
    'interpretation',
    `Interpretation error: Error: Failed to translate create argument of contract ${contract.id} from ${short(contract.template)} to ${short(template)}`,
    {
      resources: [
        ['NULLABLE_CONTRACT_ID', contract.id],
        ['TEMPLATE_ID', printIdentifier(contract.template)],
        ['TEMPLATE_ID', printIdentifier(template)],
        ['CONTRACT_ARG', encodeLfValue(contract.argument).toString('base64')],
      ],
    },
  )
}
