/** Plays the steps of recorded conversations against a participant. */
import { JsonSyntaxError, type JsonValue, parseJson, printJson } from '../interface/json.js'
import { makeSigningKey, type SigningKey } from '../runner/sign/signing-key.js'
import { differences } from './replay-compare.js'
import type { CallStep, PreparingStep, RecordedAnswer, Step, TokenRecipe } from './replay-recording.js'
import { makeToken } from './replay-tokens.js'
import { at, type Variables } from './replay-variables.js'
import type { Wire, WireRequest } from './wire.js'

export interface Player {
  wire: Wire
  tokens: Record<string, TokenRecipe>
  secret: string
  /** Lets milliseconds pass for the participant. */
  wait(milliseconds: number): void
}

/** Plays the steps in order and returns how the judged answers differ. Throws when a step cannot be played. */
export async function play(player: Player, steps: readonly Step[], variables: Variables): Promise<string[]> {
  const found: string[] = []
  const keys = new Map<string, SigningKey>()
  for (const [index, step] of steps.entries()) {
    if (!step.call) prepare(step, player, variables, keys)
    else found.push(...(await call(step, player, variables)).map((difference) => `step ${index}: ${difference}`))
  }
  return found
}

async function call(step: CallStep, player: Player, variables: Variables): Promise<string[]> {
  const actual = await exchange(step, player, variables)
  for (const [name, pointer] of Object.entries(step.capture ?? {})) {
    const captured = at(actual.body, pointer)
    if (captured === undefined) throw new Error(`nothing at ${pointer} in ${actual.status} ${printJson(actual.body)}`)
    variables.set(name, captured)
  }
  if (!step.answer) return []
  return differences({ ...step.answer, body: variables.fillKnown(step.answer.body) }, actual)
}

async function exchange(step: CallStep, player: Player, variables: Variables): Promise<RecordedAnswer> {
  const { method = 'POST', path, chunked = false, noContentType = false } = step.call
  const body = bodyOf(step.call, variables)
  const headers = Object.entries(step.call.headers ?? {}).map(([name, value]) => [name, variables.fillText(value)])
  const recipe = step.as === undefined ? undefined : player.tokens[step.as]
  const token = recipe === undefined ? undefined : await makeToken(recipe, player.secret, variables)
  const request: WireRequest = {
    method,
    path: variables.fillText(path),
    headers: {
      ...(body !== undefined && !noContentType && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...Object.fromEntries(headers),
    },
    ...(body !== undefined && { body }),
    chunked,
  }
  const { status, contentType, text } = await player.wire.send(request)
  return { status, contentType, body: jsonOrText(text) }
}

function bodyOf({ body, text, base64 }: CallStep['call'], variables: Variables): string | Buffer | undefined {
  if (body !== undefined) return printJson(variables.fill(body))
  if (text !== undefined) return variables.fillText(text)
  return base64 === undefined ? undefined : Buffer.from(variables.fillText(base64), 'base64')
}

function jsonOrText(text: string): JsonValue {
  try {
    return parseJson(text)
  } catch (error) {
    if (error instanceof JsonSyntaxError) return text
    throw error
  }
}

function prepare(step: PreparingStep, player: Player, variables: Variables, keys: Map<string, SigningKey>): void {
  if (step.wait !== undefined) player.wait(step.wait)
  for (const [name, value] of Object.entries(step.set ?? {})) variables.set(name, variables.fill(value))
  if (step.key) {
    const { name, type } = step.key
    const pair = makeSigningKey(type)
    keys.set(name, pair)
    const spki = Buffer.from(pair.publicKey.keyData, 'base64')
    variables.set(`${name}.public`, pair.publicKey)
    variables.set(`${name}.raw`, (type === 'ed25519' ? spki.subarray(-32) : spki).toString('base64'))
    variables.set(`${name}.fingerprint`, pair.fingerprint)
  }
  if (step.sign) {
    const pair = keys.get(step.sign.key)
    if (!pair) throw new Error(`there is no key ${step.sign.key}`)
    const signature = pair.sign(Buffer.from(variables.fillText(step.sign.message), 'base64'))
    variables.set(step.sign.into, signature)
  }
  if (step.bytes) variables.set(step.bytes.into, damaged(step.bytes, variables.fillText(step.bytes.from)))
}

function damaged({ op, where }: NonNullable<PreparingStep['bytes']>, text: string): string {
  // Behind the version of a contract id, so that it stays one.
  if (op === 'hexflip') return text.slice(0, 12) + (text[12] === '0' ? '1' : '0') + text.slice(13)
  const bytes = Buffer.from(text, 'base64')
  const place = where === 'last' ? bytes.length - 1 : bytes.length >> 1
  bytes.writeUInt8(bytes.readUInt8(place) ^ 1, place)
  return bytes.toString('base64')
}
