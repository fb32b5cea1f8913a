/** What a gRPC status of a refusal tells beside its message, as messages of `google.rpc` with what they hold. */
import type { JsonObject } from '../../lib/json/json.js'
import { bytesField, varintField } from '../../lib/protobuf/protobuf.js'
import type { LedgerErrorDetails } from '../base/errors.js'

export interface StatusDetail {
  typeUrl: string
  /** The bytes of the message in base64. */
  value: string
  /** What the bytes say. */
  decoded: JsonObject
}

export const noUnknownFields: JsonObject = { fields: {} }

/** As the reference participant 3.5.10 shows a detail, in completions and in view statuses: valueDecoded is an object. */
export const decodedDetail = ({ typeUrl, value, decoded }: StatusDetail): JsonObject => ({
  typeUrl,
  value,
  valueDecoded: { ...decoded, unknownFields: noUnknownFields },
  unknownFields: noUnknownFields,
})

const detail = (name: string, value: Buffer, decoded: JsonObject): StatusDetail => ({
  typeUrl: `type.googleapis.com/google.rpc.${name}`,
  value: value.toString('base64'),
  decoded,
})

export function errorInfo(reason: LedgerErrorDetails['code'], metadata: Record<string, string>): StatusDetail {
  const entries = Object.entries(metadata).map(([key, value]) =>
    bytesField(3, Buffer.concat([bytesField(1, key), bytesField(2, value)])),
  )
  return detail('ErrorInfo', Buffer.concat([bytesField(1, reason), ...entries]), { reason, domain: '', metadata })
}

export const requestInfo = (requestId: string): StatusDetail =>
  detail('RequestInfo', bytesField(1, requestId), { requestId, servingData: '' })

/** Every category that is worth another try is so after one second. */
export const retryInfo = (): StatusDetail =>
  detail('RetryInfo', bytesField(1, varintField(1, 1n)), {
    retryDelay: { seconds: 1, nanos: 0, unknownFields: noUnknownFields },
  })

export const resourceInfo = ([resourceType, resourceName]: readonly [string, string]): StatusDetail =>
  detail('ResourceInfo', Buffer.concat([bytesField(1, resourceType), bytesField(2, resourceName)]), {
    resourceType,
    resourceName,
    owner: '',
    description: '',
  })
