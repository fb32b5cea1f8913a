/** See test/recordings/README.md. */
import { readFileSync } from 'node:fs'
import { type JsonObject, type JsonValue, parseJson } from '../../../lib/json/json.js'
import type { KeyKind } from '../../../runner/sign/signing-key.js'
import type { BytesRecipe } from './replay-bytes.js'
import type { ProtobufEdit } from './replay-protobuf.js'

export type RecordedAnswer = {
  status: number
  contentType: string | null
  /** A string if the answer is not JSON. */
  body: JsonValue
}

export type CallStep = {
  call: {
    method?: string
    path: string
    headers?: Record<string, string>
    /** JSON, text or base64: at most one. */
    body?: JsonValue
    text?: string
    base64?: string
    chunked?: boolean
    noContentType?: boolean
  }
  as?: string
  /** Variables from the answer: name and JSON pointer. */
  capture?: Record<string, string>
  /** Absent: not judged. */
  answer?: RecordedAnswer
}

/** They send nothing. */
export type PreparingStep = {
  set?: Record<string, JsonValue>
  key?: { name: string; type: KeyKind }
  /** Base64. `digest` replaces that of the key. */
  sign?: { key: string; message: string; into: string; digest?: 'sha256' | 'sha384' }
  bytes?: BytesRecipe
  /** Base64; edits in order. */
  proto?: { from: string; into: string; edits: ProtobufEdit[] }
  /** The first group of a regular expression. */
  match?: { in: string; pattern: string; into: string }
  /** Milliseconds. */
  wait?: number
}

export type Step = CallStep | (PreparingStep & { call?: never })

export type Scenario = {
  id: string
  group: string
  steps: Step[]
}

/** A token or its claims. `expIn`: seconds from now. */
export type TokenRecipe = string | { alg?: string; secret?: string; claims: JsonObject }

export type Recording = {
  tokens?: Record<string, TokenRecipe>
  environment: Step[]
  scenarios: Scenario[]
}

export function readRecording(name: string): Recording {
  const file = new URL(`../../../../test/recordings/${name}`, import.meta.url)
  return parseJson(readFileSync(file, 'utf8')) as unknown as Recording // data of this repository
}
