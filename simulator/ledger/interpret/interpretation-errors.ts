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
import { type Contract, hasKnownSuffix, isUnsuffixed, type Stakeholders, stakeholders } from '../contracts/contract.js'
import { encodeLfValue } from '../contracts/lf-value.js'
import type { Effect } from '../transactions/transaction-builder.js'

const short = ({ packageId, module, entity }: DamlIdentifier): string => `${module}:${entity}@${packageId.slice(0, 8)}`

type Resources = [kind: string, value: string][]

const refused = (error: typeof contractNotActive, problem: string, resources?: Resources): LedgerError =>
  error('interpretation', `Interpretation error: Error: ${problem}`, resources && { resources })

export function contractUnknown(id: string): LedgerError | ReferenceFault {
  if (isUnsuffixed(id)) {
    return commandPreprocessingFailed(
      'interpretation',
      `Illegal Contract ID "${id}", non-suffixed V1 Contract IDs are forbidden`,
    )
  }
  const resources: Resources = [['CONTRACT_ID', id]]
  if (hasKnownSuffix(id))
    return contractNotFound('interpretation', `Contract could not be found with id ${id}`, { resources })
  return new ReferenceFault(
    new RedactedError('INTERNAL', { traced: false }),
    refused(unsupportedContractId, `Update failed due to a unsupported contract ID ${id}`, resources),
    'server-error-for-unknown-contract-id-version',
  )
}

export function contractConsumed(contract: Contract, consumer: number): LedgerError {
  const problem = `Update failed due to fetch of an inactive contract ${contract.id} (${short(contract.template)}).`
  return refused(
    contractNotActive,
    `${problem}\nThe contract had been consumed in sub-transaction #NodeId(${consumer}):`,
    [
      ['TEMPLATE_ID', printIdentifier(contract.template)],
      ['CONTRACT_ID', contract.id],
    ],
  )
}

export function wrongTemplate(contract: Contract, expected: DamlIdentifier): LedgerError {
  return refused(
    wronglyTypedContract,
    `wrongly typed contract id ${contract.id}\nExpected contract of type ${short(expected)} but got ${short(contract.template)}`,
    [
      ['CONTRACT_ID', contract.id],
      ['TEMPLATE_ID', printIdentifier(expected)],
      ['TEMPLATE_ID', printIdentifier(contract.template)],
    ],
  )
}

export function notImplementing(
  contract: { id: string; template: DamlIdentifier },
  expected: DamlIdentifier,
): LedgerError {
  return refused(
    contractDoesNotImplementInterface,
    `Update failed due to contract ${contract.id} not implementing an interface\nExpected contract to implement interface ${short(expected)} but contract has type ${short(contract.template)}`,
    [
      ['CONTRACT_ID', contract.id],
      ['TEMPLATE_ID', printIdentifier(contract.template)],
      ['INTERFACE_ID', printIdentifier(expected)],
    ],
  )
}

const notAuthorized = (node: number, template: DamlIdentifier, problem: string): LedgerError =>
  refused(damlAuthorizationError, `node NodeId(${node}) (${printIdentifier(template)}) ${problem}`)

export function unauthorized(
  node: number,
  template: DamlIdentifier,
  needed: readonly string[],
  given: readonly string[],
): LedgerError {
  return notAuthorized(
    node,
    template,
    `requires authorizers ${needed.join(',')}, but only ${given.join(',')} were given`,
  )
}

export function fetchUnauthorized(node: number, contract: Contract, given: readonly string[]): LedgerError {
  return notAuthorized(
    node,
    contract.template,
    `requires one of the stakeholders ${treeSet(stakeholders(contract))} of the fetched contract to be an authorizer, but authorizers were ${treeSet(given)}`,
  )
}

/** Only maintainers learn whether a contract with the key exists. */
export function lookupUnauthorized(
  node: number,
  template: DamlIdentifier,
  needed: readonly string[],
  given: readonly string[],
): LedgerError {
  return notAuthorized(
    node,
    template,
    `requires authorizers ${treeSet(needed)} for lookup by key, but it only has ${treeSet(given)}`,
  )
}

const treeSet = (parties: readonly string[]): string => `TreeSet(${parties.toSorted().join(', ')})`

export function noAuthorizers(node: number, template: DamlIdentifier): LedgerError {
  return notAuthorized(node, template, 'has neither signatories nor controllers')
}

/** The reference participant fails with an internal error in this case. */
export const queryForNothing = (count: bigint): ReferenceFault =>
  new ReferenceFault(
    new RedactedError('INTERNAL'),
    commandPreprocessingFailed('interpretation', `A query by key requests ${count} contracts, but the minimum is 1`),
    'server-error-for-empty-key-query',
  )

export const valueNesting = (): LedgerError => refused(tooDeep, 'Value exceeds maximum nesting value of 100')

export const packageUnresolved = (name: string): LedgerError =>
  refused(packageNameUnresolved, `Update failed due to a failed package name resolution: ${name}`, [
    ['PACKAGE_NAME', name],
  ])

export function effectfulRollback(effects: readonly Effect[]): LedgerError {
  const listed = effects.map(({ contract, ...effect }) =>
    effect.kind === 'create'
      ? `create of ${short(contract.template)}`
      : `exercise of ${short(contract.template)}:${effect.choice} on ${contract.id}`,
  )
  return refused(effectfulRollbackError, `Tried to rollback side-effectful node(s): ${listed.join(', ')}`)
}

export function noMaintainers(template: DamlIdentifier, key: DamlValue): LedgerError {
  return refused(
    emptyMaintainers,
    `Update failed due to a contract key with an empty set of maintainers when creating an instance of ${short(template)}`,
    [
      ['TEMPLATE_ID', printIdentifier(template)],
      ['CONTRACT_KEY', encodeLfValue(key).toString('base64')],
    ],
  )
}

export function termsChanged(contract: Contract, template: DamlIdentifier, terms: Stakeholders): LedgerError {
  return refused(
    upgradeValidationFailed,
    `Validation fails when trying to upgrade the contract ${contract.id} from ${short(contract.template)} to ${short(template)}`,
    termsResources(contract, template, terms),
  )
}

/** In the order of the reference participant. */
export function termsResources(contract: Contract, template: DamlIdentifier, terms: Stakeholders): Resources {
  const side = ({ signatories, observers }: Stakeholders): Resources => [
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
  return refused(contractKeyNotFound, `couldn't find key of template ${short(template)}`, [
    ['TEMPLATE_ID', printIdentifier(template)],
    ['CONTRACT_KEY', encodeLfValue(key).toString('base64')],
    ['PACKAGE_NAME', packageName],
  ])
}

export const preconditionViolated = (template: DamlIdentifier, argument: DamlRecord): LedgerError =>
  refused(
    templatePreconditionViolated,
    `Update failed due to precondition violation when creating ${short(template)} with ${argument.fields.length} fields`,
  )

export function notTranslatable(contract: Contract, template: DamlIdentifier): LedgerError {
  return refused(
    upgradeTranslationFailed,
    `Failed to translate create argument of contract ${contract.id} from ${short(contract.template)} to ${short(template)}`,
    [
      ['NULLABLE_CONTRACT_ID', contract.id],
      ['TEMPLATE_ID', printIdentifier(contract.template)],
      ['TEMPLATE_ID', printIdentifier(template)],
      ['CONTRACT_ARG', encodeLfValue(contract.argument).toString('base64')],
    ],
  )
}
