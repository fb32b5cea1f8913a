import { grammars } from '../../interface/grammars.js'
import { ProtobufError } from '../../lib/protobuf/protobuf.js'
import { checkField, checkOptionalField } from '../base/checks.js'
import {
  disclosedContractAuthenticationFailed,
  invalidArgument,
  missingField,
  upgradeValidationFailed,
} from '../base/errors.js'
import { type Contract, type Disclosed, derivedTerms, isAuthentic } from '../ledger/contracts/contract.js'
import { decodeBlob } from '../ledger/contracts/created-event-blob.js'
import { termsResources } from '../ledger/interpret/interpretation-errors.js'
import type { Ledger } from '../ledger/state/ledger.js'
import type { DisclosedContractBody } from './commands.js'

/** Throws the first error. The reference authenticates only contracts that a command uses (observed on 3.5.10). */
export const discloseAll = (bodies: readonly DisclosedContractBody[], ledger: Ledger): Disclosed[] =>
  bodies.map((body) => {
    const contract = disclose(body, ledger)
    return { contract, synchronizerId: body.synchronizerId, authenticate: () => authenticate(contract, ledger) }
  })

function disclose(body: DisclosedContractBody, ledger: Ledger): Contract {
  if (body.createdEventBlob.length === 0) throw missingField('request', 'DisclosedContract.createdEventBlob')
  if (body.templateId) checkField('request', 'package_id', grammars.packageId, body.templateId.package)
  checkOptionalField('request', 'DisclosedContract.contract_id', grammars.contractId, body.contractId)
  const contract = read(body.createdEventBlob, ledger)
  if (body.contractId !== '' && body.contractId !== contract.id) {
    throw mismatch('contract_id', body.contractId, contract.id)
  }
  const { template } = contract
  const given = body.templateId && `${body.templateId.package}:${body.templateId.module}:${body.templateId.entity}`
  const held = `${template.packageId}:${template.module}:${template.entity}`
  if (given !== undefined && given !== held) throw mismatch('template_id', given, held)
  checkOptionalField('request', 'DisclosedContract.synchronizer_id', grammars.synchronizerId, body.synchronizerId)
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

/** Checks that parties follow from the argument, and the id from the content. */
function authenticate(contract: Contract, ledger: Ledger): void {
  const derived = derivedTerms(contract.template, contract.argument, ledger.packages)
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
