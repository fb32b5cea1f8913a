/** Details of a gRPC status, as messages of `google.rpc`. */
import type { JsonObject } from '../../lib/json/json.js'
import { bytesField, varintField } from '../../lib/protobuf/protobuf.js'
import type { Behaviour } from '../base/behaviour.js'
import type { LedgerErrorDetails } from '../base/errors.js'

export interface StatusDetail {
  typeUrl: string
  /** Base64. */
  value: string
  decoded: JsonObject
}

const noUnknownFields: JsonObject = { fields: {} }

/** The reference 3.5.10: valueDecoded is an object. */
const decodedDetail = ({ typeUrl, value, decoded }: StatusDetail): JsonObject => ({
  typeUrl,
  value,
  valueDecoded: { ...decoded, unknownFields: noUnknownFields },
  unknownFields: noUnknownFields,
})

/** The interface text: valueDecoded is a string. */
const detailWithText = ({ typeUrl, value, decoded }: StatusDetail): JsonObject => ({
  typeUrl,
  value,
  valueDecoded: JSON.stringify(decoded),
  unknownFields: noUnknownFields,
})

export const shownBy = ({ has }: Behaviour): ((detail: StatusDetail) => JsonObject) =>
  has('decoded-details-as-objects') ? decodedDetail : detailWithText

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

/** All retryable categories use one second. */
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
