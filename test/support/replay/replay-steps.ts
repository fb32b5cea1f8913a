import { isJsonObject, JsonSyntaxError, type JsonValue, parseJson, printJson } from '../../../lib/json/json.js'
import { makeSigningKey } from '../../../runner/sign/signing-key.js'
import type { Wire, WireRequest } from '../servers/wire.js'
import { madeBytes } from './replay-bytes.js'
import { differences } from './replay-compare.js'
import { applyEdit, type ProtobufEdit } from './replay-protobuf.js'
import type { CallStep, PreparingStep, RecordedAnswer, Step } from './replay-recording.js'
import { makeToken, type TokenRecipe } from './replay-token.js'
import { at, type Variables } from './replay-variables.js'

export interface ReplaySession {
  wire: Wire
  tokens: Record<string, TokenRecipe>
  secret: string
  wait(milliseconds: number): void
}

/** Returns the differences of judged answers. Throws if a step is impossible. */
export async function play(session: ReplaySession, steps: readonly Step[], variables: Variables): Promise<string[]> {
  const found: string[] = []
  for (const [index, step] of steps.entries()) {
    if (!step.call) prepare(step, session, variables)
    else found.push(...(await call(step, session, variables)).map((difference) => `step ${index}: ${difference}`))
  }
  return found
}

async function call(step: CallStep, session: ReplaySession, variables: Variables): Promise<string[]> {
  const actual = await exchange(step, session, variables)
  for (const [name, pointer] of Object.entries(step.capture ?? {})) {
    const captured = at(actual.body, pointer)
    if (captured === undefined) throw new Error(`nothing at ${pointer} in ${actual.status} ${printJson(actual.body)}`)
    variables.set(name, captured)
  }
  if (!step.answer) return []
  const expected = { ...step.answer, body: variables.fillKnown(step.answer.body) }
  return differences(expected, step.outcome ? outcomeOf(actual) : actual)
}

/** Without its body, except for the code of an error. */
function outcomeOf(answer: RecordedAnswer): RecordedAnswer {
  const { code } = isJsonObject(answer.body) ? answer.body : {}
  return { ...answer, body: code === undefined ? null : { code } }
}

async function exchange(step: CallStep, session: ReplaySession, variables: Variables): Promise<RecordedAnswer> {
  const { method = 'POST', path, chunked = false, noContentType = false } = step.call
  const recipe = typeof step.as === 'string' ? session.tokens[step.as] : step.as
  const known = variables.fork()
  if (recipe !== undefined) known.set('token', makeToken(recipe, session.secret, variables))
  const { authorization = recipe === undefined ? null : `Bearer ${known.get('token')}` } = step
  const body = bodyOf(step.call, known)
  const headers = Object.entries(step.call.headers ?? {}).map(([name, value]) => [name, known.fillText(value)])
  const request: WireRequest = {
    method,
    path: known.fillText(path),
    headers: {
      ...(body !== undefined && !noContentType && { 'content-type': 'application/json' }),
      ...(authorization !== null && { authorization: [authorization].flat().map((text) => known.fillText(text)) }),
      ...Object.fromEntries(headers),
    },
    ...(body !== undefined && { body }),
    chunked,
  }
  const { status, contentType, text } = await session.wire.send(request)
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

function prepare(step: PreparingStep, session: ReplaySession, variables: Variables): void {
  if (step.wait !== undefined) session.wait(step.wait)
  for (const [name, value] of Object.entries(step.set ?? {})) variables.set(name, variables.fill(value))
  if (step.key) makeKey(step.key, variables)
  if (step.sign) {
    const { key, message, into, digest } = step.sign
    const signature = variables.key(key).sign(Buffer.from(variables.fillText(message), 'base64'), digest)
    variables.set(into, signature)
    variables.set(`${into}.signature`, signature['signature'] ?? null)
  }
  if (step.bytes) variables.set(step.bytes.into, madeBytes(step.bytes, variables.fillText(step.bytes.from)))
  if (step.proto) variables.set(step.proto.into, alteredProtobuf(step.proto, variables))
  if (step.match) {
    const { pattern, into } = step.match
    const [, found] = new RegExp(pattern).exec(variables.fillText(step.match.in)) ?? []
    if (found === undefined) throw new Error(`nothing matches ${pattern}`)
    variables.set(into, found)
  }
}

function makeKey({ name, type }: NonNullable<PreparingStep['key']>, variables: Variables): void {
  const pair = makeSigningKey(type)
  variables.setKey(name, pair)
  const spki = Buffer.from(pair.publicKey.keyData, 'base64')
  variables.set(`${name}.public`, pair.publicKey)
  variables.set(`${name}.raw`, (type === 'ed25519' ? spki.subarray(-32) : spki).toString('base64'))
  variables.set(`${name}.fingerprint`, pair.fingerprint)
}

function alteredProtobuf({ from, edits }: NonNullable<PreparingStep['proto']>, variables: Variables): string {
  const bytes = Buffer.from(variables.fillText(from), 'base64')
  const filled = edits.map((edit) => variables.fill({ ...edit }) as ProtobufEdit) // the same form, filled
  return filled.reduce(applyEdit, bytes).toString('base64')
}
