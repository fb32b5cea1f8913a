import { gzipSync } from 'node:zlib'
import { printJson } from '../../lib/json/json.js'
import type { BodyTemplate, RequestTemplate, WireForm, Writing } from '../../record/types/resolved-row.js'
import type { KeyedGeneration } from '../template/generators.js'
import { applyEdit, fill, type Scope, textOf } from '../template/variables.js'
import type { ConnectionUse } from './kept-connections.js'

export interface RequestLine {
  method: string
  /** Below the base URL, with a leading slash. */
  path: string
}

export interface BuiltRequest extends RequestLine {
  headers: [name: string, value: string][]
  body: Buffer | undefined
  wire?: WireForm
  /** Instead of a connection that the transport chooses. */
  connection?: ConnectionUse
}

/** Adds no Authorization header. Throws `VariableError` or `PointerError`. */
export function buildRequest(template: RequestTemplate, variables: Scope, keyed: KeyedGeneration): BuiltRequest {
  const { method, headers, body, wire } = template
  return {
    method,
    path: pathOf(template, variables),
    headers: Object.entries(headers).map(([name, value]) => [name, textOf(value, variables)]),
    body: body && bytesOf(body, variables, keyed),
    ...(wire && {
      wire: { ...wire, ...(wire.before && { before: wire.before.map((text) => textOf(text, variables)) }) },
    }),
  }
}

function pathOf({ path, query }: RequestTemplate, variables: Scope): string {
  const filled = textOf(path, variables)
  if (!query) return filled
  const pairs = Object.entries(query).map(([key, value]): [string, string] => [key, textOf(value, variables)])
  return `${filled}?${new URLSearchParams(pairs)}`
}

function bytesOf(body: BodyTemplate, variables: Scope, keyed: KeyedGeneration): Buffer {
  if ('base64' in body) return Buffer.from(body.base64, 'base64')
  if ('text' in body) return writtenAs(textOf(body.text, variables), body.written)
  const json = fill(body.json, variables, keyed)
  const edits = (body.edits ?? []).map((edit) =>
    'set' in edit ? { ...edit, set: fill(edit.set, variables, keyed) } : edit,
  )
  return writtenAs(printJson(edits.reduce(applyEdit, json)), body.written)
}

/** An encoding or a syntax that is not JSON. */
function writtenAs(text: string, writing: Writing | undefined): Buffer {
  switch (writing) {
    case 'utf-16':
      return Buffer.from(text, 'utf16le')
    case 'gzip':
      return gzipSync(text)
    case 'truncated':
      return Buffer.from(text.slice(0, -1), 'utf8')
    case 'followed':
      return Buffer.from(`${text} {}`, 'utf8')
    case 'trailing-comma':
      return Buffer.from(text.replace(/\}$/, ',}'), 'utf8')
    case 'comment':
      return Buffer.from(text.replace(/^\{/, '{/* */'), 'utf8')
    case 'single-quotes':
      return Buffer.from(text.replaceAll('"', "'"), 'utf8')
    case 'not-a-number':
      return Buffer.from(text.replace(/\}$/, ',"somethingElse":NaN}'), 'utf8')
    case 'byte-order-mark':
      return Buffer.from(`\uFEFF${text}`, 'utf8')
    case undefined:
      return Buffer.from(text, 'utf8')
  }
}
