/** How a contract looks as an interface: computed by the version of its package that is preferred now, which may fail. */
import { EvaluationFailure, type Failure } from '../../daml/machine/failures.js'
import { TranslationError } from '../../daml/schema/conversion.js'
import type { InterfaceSchema } from '../../daml/schema/schema.js'
import { printIdentifier } from '../../interface/daml-value.js'
import type { JsonObject, JsonValue } from '../../lib/json/json.js'
import type { Behaviour } from '../base/behaviour.js'
import type { LedgerErrorDetails } from '../base/errors.js'
import { encodeDaml } from '../json/daml-encode.js'
import type { Contract } from '../ledger/contracts/contract.js'
import { viewOf } from '../ledger/contracts/contract-view.js'
import { refusalOf } from '../ledger/interpret/evaluation-refusals.js'
import type { PackageStore } from '../ledger/packages/package-store.js'
import { decodedDetail, errorInfo, noUnknownFields, resourceInfo, type StatusDetail } from './status-details.js'

/** What events are taken from: a participant, or these parts of one. */
export interface EventSource {
  ledger: {
    packages: PackageStore
    participantId: string
    /** The version of a package as which contracts are seen by their interfaces; undefined: none is usable. */
    resolve(packageName: string): string | undefined
    isElsewhere(party: string): boolean
  }
  behaviour: Behaviour
}

const sound: JsonObject = { code: 0, message: '', details: [] }

/** The gRPC status of a view that could not be computed: FAILED_PRECONDITION. */
const failedStatus = 9

export function interfaceView(contract: Contract, shown: InterfaceSchema, source: EventSource): JsonObject {
  const interfaceId = printIdentifier(shown.id)
  const implementation = source.ledger.resolve(contract.packageName)
  if (implementation === undefined) {
    const code = 'NO_VETTED_INTERFACE_IMPLEMENTATION_PACKAGE'
    const message = `No vetted package for rendering the interface view of package ${contract.packageName}`
    const viewStatus = failed({ code, category: 9, cause: message, resources: [] }, source)
    return { interfaceId, viewStatus, viewValue: null, implementationPackageId: null }
  }
  const { viewStatus, viewValue } = rendered(contract, shown, implementation, source)
  return { interfaceId, viewStatus, viewValue, implementationPackageId: implementation }
}

function rendered(
  contract: Contract,
  shown: InterfaceSchema,
  implementation: string,
  source: EventSource,
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
  {
    code,
    category,
    cause,
    context = {},
    resources = [],
  }: Pick<LedgerErrorDetails, 'code' | 'category' | 'cause' | 'context' | 'resources'>,
  { ledger, behaviour }: EventSource,
): JsonObject {
  const { exercise_trace: _, ...told } = context
  const participant = ledger.participantId.split('::')[0] ?? ''
  const metadata = { participant, ...told, definite_answer: 'false', category: String(category) }
  const shown = behaviour.has('decoded-details-as-objects') ? decodedDetail : detailWithText
  const details = [errorInfo(code, metadata), ...resources.map(resourceInfo)].map(shown)
  return { code: failedStatus, message: `${code}(${category},0): ${cause}`, details }
}

/** As the interface text describes it: valueDecoded is a string. */
const detailWithText = ({ typeUrl, value, decoded }: StatusDetail): JsonObject => ({
  typeUrl,
  value,
  valueDecoded: JSON.stringify(decoded),
  unknownFields: noUnknownFields,
})
