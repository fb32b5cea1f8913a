import { readFileSync } from 'node:fs'
import type { OpenAPIV3_1 } from 'openapi-types'
import { parse } from 'yaml'

export const openapiText = readFileSync(new URL('../../../interface/openapi.yaml', import.meta.url), 'utf8')

export const openapiDocument = parse(openapiText) as OpenAPIV3_1.Document // test/interface/interface.test.ts holds it against the type
