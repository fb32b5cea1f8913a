/** The build parses openapi.yaml, because YAML is slow. */
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import type { OpenAPIV3_1 } from 'openapi-types'
import { parse } from 'yaml'

const written = new URL('../../interface/openapi.yaml', import.meta.url)
const parsed = new URL('./openapi.json', import.meta.url)

/** Valid only for the same text. */
interface Parsed {
  digest: string
  document: OpenAPIV3_1.Document
}

export function readDescription(): Parsed {
  const text = readFileSync(written, 'utf8')
  const digest = digestOf(text)
  return { digest, document: parsedBefore(digest) ?? parseDescription(text) }
}

/** A build step. Returns the digest. */
export function keepDescription(): string {
  const text = readFileSync(written, 'utf8')
  const digest = digestOf(text)
  writeFileSync(parsed, JSON.stringify({ digest, document: parseDescription(text) } satisfies Parsed))
  return digest
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex')

const parseDescription = (text: string): OpenAPIV3_1.Document => parse(text) as OpenAPIV3_1.Document // our own file; the tests hold it against the type

function parsedBefore(digest: string): OpenAPIV3_1.Document | undefined {
  try {
    const found = JSON.parse(readFileSync(parsed, 'utf8')) as Parsed // what `keepDescription` wrote
    return found.digest === digest ? found.document : undefined
  } catch {
    return undefined
  }
}
