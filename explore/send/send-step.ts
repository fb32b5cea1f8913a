import type { JsonValue } from '../../lib/json/json.js'
import type { Evidence } from '../../record/types/record.js'
import { type Answer, answerOf } from '../../runner/judge/answer.js'
import { CredentialError } from '../../runner/target/credentials/credential-source.js'
import { asCaller } from '../../runner/template/callers.js'
import { byKeys } from '../../runner/template/keyed-generation.js'
import { PointerError, valueAt } from '../../runner/template/pointer.js'
import { VariableError } from '../../runner/template/variables.js'
import { buildRequest } from '../../runner/transport/build-request.js'
import type { Side } from './side.js'
import type { Turn } from './step.js'

/** What one side made of a turn; `unsent`: it asks for what an earlier answer did not give. */
export interface Told {
  evidence?: Evidence
  answer?: Answer
  unsent?: string
}

/** Sends one turn as one side has it, and adds to its variables what is captured. */
export async function playTurn(turn: Turn, variables: Map<string, JsonValue>, side: Side): Promise<Told> {
  const scope = asCaller(turn.actor, variables)
  try {
    const request = buildRequest(turn.request, scope, byKeys(side.keys))
    const authorization = await side.tokens.header(String(scope.get('user') ?? ''), turn.token, scope)
    if (authorization !== undefined) request.headers.push(['authorization', authorization])
    const evidence = await side.transport.send(request, { step: 0, role: 'act' })
    const answer = answerOf(evidence)
    return { evidence, ...(answer && { answer }) }
  } catch (error) {
    if (error instanceof VariableError || error instanceof PointerError || error instanceof CredentialError)
      return { unsent: error.message }
    throw error
  }
}

/** Takes from the answer what later turns name. */
export function captureFrom({ answer }: Told, { capture }: Turn, variables: Map<string, JsonValue>): void {
  for (const [name, pointer] of Object.entries(capture)) {
    const value = valueAt(answer?.json, pointer)
    if (value !== undefined) variables.set(name, value)
  }
}
