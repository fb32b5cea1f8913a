import { EvaluationFailure, type Failure } from '../../daml/machine/failures.js'
import { TranslationError } from '../../daml/schema/conversion.js'
import type { InterfaceSchema } from '../../daml/schema/schema.js'
import { printIdentifier } from '../../interface/daml-value.js'
import type { JsonObject, JsonValue } from '../../lib/json/json.js'
import type { ErrorContent } from '../base/errors.js'
import { encodeDaml } from '../json/daml-encode.js'
import { type Contract, viewOf } from '../ledger/contracts/contract.js'
import { refusalOf } from '../ledger/interpret/evaluation-refusals.js'
import type { Source } from './conversion.js'
import { errorInfo, resourceInfo, shownBy } from './status-details.js'

const sound: JsonObject = { code: 0, message: '', details: [] }

/** FAILED_PRECONDITION. */
const failedStatus = 9

export function interfaceView(contract: Contract, shown: InterfaceSchema, source: Source): JsonObject {
  const interfaceId = printIdentifier(shown.id)
  const implementation = source.ledger.resolve(contract.packageName)
  if (implementation === undefined) {
    const code = 'NO_VETTED_INTERFACE_IMPLEMENTATION_PACKAGE'
    const message = `No vetted package for rendering the interface view of package ${contract.packageName}`
    const viewStatus = failed({ code, category: 9, cause: message, resources: [] }, source)
    return { interfaceId, viewStatus, viewValue: null, ...implementedBy(null, source) }
  }
  const { viewStatus, viewValue } = rendered(contract, shown, implementation, source)
  return { interfaceId, viewStatus, viewValue, ...implementedBy(implementation, source) }
}

const implementedBy = (implementationPackageId: string | null, { behaviour }: Source): JsonObject =>
  behaviour.has('members-since-3.5') ? { implementationPackageId } : {}

function rendered(
  contract: Contract,
  shown: InterfaceSchema,
  implementation: string,
  source: Source,
): { viewStatus: JsonObject; viewValue: JsonValue } {
  try {
    const value = viewOf(contract, shown, implementation, source.ledger.packages)
    return { viewStatus: sound, viewValue: encodeDaml(shown.view, value) }
  } catch (error) {
    return {
      viewStatus: failed(refusalOf(failureIn(error), { exercises: [], command: undefined }).details, source),
      viewValue: null,
    }
  }
}

function failureIn(error: unknown): Failure {
  if (error instanceof EvaluationFailure) return error.failure
  if (error instanceof TranslationError) return { kind: 'illTyped', message: error.message }
  throw error
}

function failed(
  { code, category, cause, context = {}, resources = [] }: ErrorContent,
  { ledger, behaviour }: Source,
): JsonObject {
  const { exercise_trace: _, ...shared } = context
  const participant = ledger.participantId.split('::')[0] ?? ''
  const metadata = { participant, ...shared, definite_answer: 'false', category: String(category) }
  const shown = shownBy(behaviour)
  const details = [errorInfo(code, metadata), ...resources.map(resourceInfo)].map(shown)
  return { code: failedStatus, message: `${code}(${category},0): ${cause}`, details }
}
