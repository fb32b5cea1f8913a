import type { OpenAPIV3_1 } from 'openapi-types'
import type { JsonValue } from '../lib/json/json.js'
import { success } from './described-schemas.js'
import { type SupportName, supportNames, supportOperations } from './operations.js'
import { readDescription } from './read-description.js'

export interface SupportShape {
  name: SupportName
  /** Such as `POST /v2/parties`. */
  call: string
  summary: string
  /** Undefined: without a JSON body. */
  request: JsonValue | undefined
  /** The smallest usable answer; undefined: any. */
  answer: JsonValue | undefined
}

type Content = Readonly<Record<string, OpenAPIV3_1.MediaTypeObject>> | undefined

const exampleIn = (content: Content): JsonValue | undefined =>
  content?.['application/json']?.example as JsonValue | undefined // our own document

/** Of the operations that the suite calls besides those under test, in the order of their table. From openapi.yaml. */
export function supportShapes(): SupportShape[] {
  const { paths = {} } = readDescription()
  return supportNames.flatMap((name) => {
    const { method, path } = supportOperations[name]
    const found = Object.entries(paths[path] ?? {}).find(([one]) => one === method.toLowerCase())?.[1]
    const operation = found as OpenAPIV3_1.OperationObject | undefined // a method of our own document
    if (!operation) return []
    const { summary = '', requestBody, responses = {} } = operation
    const response = responses[success]
    return [
      {
        name,
        call: `${method} ${path}`,
        summary,
        request: requestBody && 'content' in requestBody ? exampleIn(requestBody.content) : undefined,
        answer: response && 'content' in response ? exampleIn(response.content) : undefined,
      },
    ]
  })
}
