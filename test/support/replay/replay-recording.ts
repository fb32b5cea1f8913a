/** Recorded conversations as data: see recordings/README.md. */
import { readFileSync } from 'node:fs'
import { type JsonObject, type JsonValue, parseJson } from '../../../lib/json/json.js'
import type { KeyKind } from '../../../runner/sign/signing-key.js'
import type { BytesRecipe } from './replay-bytes.js'
import type { ProtobufEdit } from './replay-protobuf.js'

export type RecordedAnswer = {
  status: number
  contentType: string | null
  /** Text, where the answer was no JSON. */
  body: JsonValue
}

export type CallStep = {
  call: {
    method?: string
    path: string
    headers?: Record<string, string>
    /** JSON, text, or base64 of bytes: at most one of the three is there. */
    body?: JsonValue
    text?: string
    base64?: string
    chunked?: boolean
    noContentType?: boolean
  }
  /** Name of the token that goes along. */
  as?: string
  /** Variables that the answer gives: name and JSON pointer. */
  capture?: Record<string, string>
  /** Absent: the answer is not judged. */
  answer?: RecordedAnswer
}

/** Steps that send nothing. */
export type PreparingStep = {
  set?: Record<string, JsonValue>
  key?: { name: string; type: KeyKind }
  /** Signs bytes (base64) with a key; `digest`: another one than belongs to the key. */
  sign?: { key: string; message: string; into: string; digest?: 'sha256' | 'sha384' }
  bytes?: BytesRecipe
  /** Alters protobuf bytes (base64) on wire level, one edit after the other. */
  proto?: { from: string; into: string; edits: ProtobufEdit[] }
  /** The first group of a regular expression in a text. */
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

/** A token as it stands, or its claims. `expIn`: seconds from now. */
export type TokenRecipe = string | { alg?: string; secret?: string; claims: JsonObject }

export type Recording = {
  tokens?: Record<string, TokenRecipe>
  /** What every scenario finds there. */
  environment: Step[]
  scenarios: Scenario[]
}

export function readRecording(name: string): Recording {
  const file = new URL(`../../../../test/recordings/${name}`, import.meta.url)
  // Our own data, in this form. The files name the environment `world`.
  const { world, ...others } = parseJson(readFileSync(file, 'utf8')) as Omit<Recording, 'environment'> & {
    world: Step[]
  }
  return { ...others, environment: world }
}
