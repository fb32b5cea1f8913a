import { readFileSync } from 'node:fs'
import type { OpenAPIV3_1 } from 'openapi-types'

/** The build parses openapi.yaml, because YAML is slow. */
export const descriptionFile = new URL('./openapi.json', import.meta.url)

export const readDescription = (): OpenAPIV3_1.Document =>
  JSON.parse(readFileSync(descriptionFile, 'utf8')) as OpenAPIV3_1.Document // our own file; the tests hold it against the type
