import { EvaluationFailure } from '../../daml/machine/failures.js'
import { TranslationError } from '../../daml/schema/conversion.js'
import { grammars, violation } from '../../interface/grammars.js'
import { ProtobufError } from '../../lib/protobuf/protobuf.js'
import {
  disclosedContractAuthenticationFailed,
  invalidArgument,
  invalidField,
  missingField,
  upgradeValidationFailed,
} from '../base/errors.js'
import type { Contract } from '../ledger/contracts/contract.js'
import { isAuthentic } from '../ledger/contracts/contract-id.js'
import { type ContractTerms, termsOf } from '../ledger/contracts/contract-terms.js'
import { decodeBlob } from '../ledger/contracts/created-event-blob.js'
import type { Disclosed } from '../ledger/contracts/disclosed.js'
import { termsResources } from '../ledger/interpret/interpretation-errors.js'
import type { Ledger } from '../ledger/state/ledger.js'
import type { DisclosedContractBody } from './commands.js'

/** The contracts that a submission discloses, checked against their blobs; the first problem is thrown. */
export function discloseAll(bodies: readonly DisclosedContractBody[], ledger: Ledger): Disclosed[] {
  const disclosed = bodies.map((body) => ({
    contract: disclose(body, ledger),
    synchronizerId: body.synchronizerId,
  }))
  for (const { contract } of disclosed) authenticate(contract, ledger)
  return disclosed
}

function disclose(body: DisclosedContractBody, ledger: Ledger): Contract {
  if (body.createdEventBlob.length === 0) throw missingField('request', 'DisclosedContract.createdEventBlob')
  if (body.templateId) {
    const problem = violation(grammars.packageId, body.templateId.package)
    if (problem) throw invalidField('request', 'package_id', problem)
  }
  const idProblem = body.contractId === '' ? undefined : violation(grammars.contractId, body.contractId)
  if (idProblem) throw invalidField('request', 'DisclosedContract.contract_id', idProblem)
  const contract = read(body.createdEventBlob, ledger)
  if (body.contractId !== '' && body.contractId !== contract.id) {
    throw mismatch('contract_id', body.contractId, contract.id)
  }
  const { template } = contract
  const given = body.templateId && `${body.templateId.package}:${body.templateId.module}:${body.templateId.entity}`
  const held = `${template.packageId}:${template.module}:${template.entity}`
  if (given !== undefined && given !== held) throw mismatch('template_id', given, held)
  const synchronizerProblem =
    body.synchronizerId === '' ? undefined : violation(grammars.synchronizerId, body.synchronizerId)
  if (synchronizerProblem) {
    throw invalidField('request', 'DisclosedContract.synchronizer_id', synchronizerProblem)
  }
  return contract
}

const mismatch = (field: string, given: string, held: string) =>
  invalidArgument(
    'request',
    `Mismatch between DisclosedContract.${field} (${given}) and ${field} from decoded DisclosedContract.created_event_blob (${held})`,
  )

function read(blob: Buffer, ledger: Ledger): Contract {
  try {
    return decodeBlob(blob, ledger.packages)
  } catch (error) {
    if (!(error instanceof ProtobufError)) throw error
    throw invalidArgument('request', `Unable to decode disclosed contract event payload: ${error.message}`)
  }
}

/** A blob that was tampered with: either its parties no longer follow from its argument, or its id not from its content. */
function authenticate(contract: Contract, ledger: Ledger): void {
  const derived = derivedTerms(contract, ledger)
  const agree = (a: readonly string[], b: readonly string[]): boolean => a.join() === b.join()
  if (!derived || !agree(derived.signatories, contract.signatories) || !agree(derived.observers, contract.observers)) {
    throw upgradeValidationFailed(
      'interpretation',
      `Interpretation error: Error: Validation fails when trying to upgrade the contract ${contract.id}`,
      { resources: termsResources(contract, contract.template, derived ?? contract) },
    )
  }
  if (!isAuthentic(contract)) {
    throw disclosedContractAuthenticationFailed(
      'interpretation',
      `Contract ${contract.id} could not be authenticated: its id does not follow from its content`,
      { resources: [['CONTRACT_ID', contract.id]] },
    )
  }
}

/** Undefined: its argument makes no contract at all. */
function derivedTerms({ template, argument }: Contract, { packages }: Ledger): ContractTerms | undefined {
  try {
    return termsOf(template, argument, packages)
  } catch (error) {
    if (error instanceof EvaluationFailure || error instanceof TranslationError) return undefined
    throw error
  }
}
