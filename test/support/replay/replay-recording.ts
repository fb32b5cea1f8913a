/** See test/recordings/README.md. */
import { readFileSync } from 'node:fs'
import { type JsonValue, parseJson } from '../../../lib/json/json.js'
import type { KeyKind } from '../../../runner/sign/signing-key.js'
import type { BytesRecipe } from './replay-bytes.js'
import type { ProtobufEdit } from './replay-protobuf.js'
import type { TokenRecipe } from './replay-token.js'

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
  /** A token of the recording, or its own one. */
  as?: string | TokenRecipe
  /** Replaces the header Authorization; `${token}` is the token. Null: no header. */
  authorization?: string | string[] | null
  /** Variables from the answer: name and JSON pointer. */
  capture?: Record<string, string>
  /** Absent: not judged. */
  answer?: RecordedAnswer
  /** Only status, media type and code of the answer are judged. */
  outcome?: boolean
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

export type Recording = {
  tokens?: Record<string, TokenRecipe>
  environment: Step[]
  scenarios: Scenario[]
}

export function readRecording(name: string): Recording {
  const file = new URL(`../../../../test/recordings/${name}`, import.meta.url)
  return parseJson(readFileSync(file, 'utf8')) as unknown as Recording // data of this repository
}
