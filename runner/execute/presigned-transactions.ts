/** Transactions that were prepared and signed elsewhere, in place of those that rows would have prepared. */
import type { JsonValue } from '../../lib/json/json.js'
import type { Evidence } from '../../record/types/record.js'
import type { ResolvedRow } from '../../record/types/resolved-row.js'
import { SignatureNotGiven } from '../sign/presigned-key.js'
import type { PresignedTransaction } from '../target/target-file.js'
import { rejectedBeforeLedger } from '../target/target-file.js'
import { asCaller } from '../template/callers.js'
import { byKeys } from '../template/keyed-generation.js'
import { PointerError, valueAt } from '../template/pointer.js'
import { VariableError, type Variables, withValues } from '../template/variables.js'
import { buildRequest } from '../transport/build-request.js'
import type { Session } from './session.js'

/** By fixture, those that have not been executed. */
export class PresignedTransactions {
  readonly #left: Map<string, { transactions: PresignedTransaction[]; reason: string }>

  constructor(unused: ReadonlyMap<string, { transactions: readonly PresignedTransaction[]; reason: string }>) {
    this.#left = new Map(
      [...unused].map(([fixture, { transactions, reason }]) => [fixture, { transactions: [...transactions], reason }]),
    )
  }

  /** The one that the next row uses, which is the same one until it is used up; or why there is none. */
  next(fixture: string): PresignedTransaction | string {
    const { transactions: [first] = [], reason = `nothing is presigned for ${fixture}` } = this.#left.get(fixture) ?? {}
    return first ?? reason
  }

  consume(fixture: string): void {
    this.#left.get(fixture)?.transactions.shift()
  }
}

/** What a row knows that uses the transaction: what it takes from it, and the marker in it as its own. */
export function withPresigned(
  { prepared, hash, mark }: Omit<PresignedTransaction, 'synchronizerId'>,
  capture: Readonly<Record<string, string>>,
  variables: Variables,
): Variables {
  const answer = { preparedTransaction: prepared, preparedTransactionHash: hash }
  const captured = Object.entries(capture).map(([name, pointer]): [string, JsonValue] => [
    name,
    valueAt(answer, pointer) ?? null,
  ])
  return new Map([...variables, ...captured, ['row', mark]])
}

/** Which signature the row would need that nobody gave. Nothing is sent to find it out. */
export function findMissingSignature(
  row: ResolvedRow,
  variables: Variables,
  { keys }: Pick<Session, 'keys'>,
): string | undefined {
  for (const step of row.steps) {
    try {
      const scope = asCaller(step.actor, withValues(row.values, variables, byKeys(keys)))
      buildRequest(step.request, scope, byKeys(keys))
    } catch (error) {
      if (error instanceof SignatureNotGiven) return error.message
      // What else is missing the row itself will tell, or an earlier step will give it.
      if (!(error instanceof VariableError) && !(error instanceof PointerError)) throw error
    }
  }
  return undefined
}

/**
 * Whether the transaction of a row may have been executed, or refused in a way that makes it unusable. `isAnyUse`: each request
 * of the row may execute it, whatever its answer.
 */
export const mayBeConsumed = (evidence: readonly Evidence[], isAnyUse: boolean): boolean =>
  evidence.some(
    ({ role, problem, response }) =>
      (role === 'arrange' || role === 'act') &&
      problem?.code !== 'not-sent' &&
      (isAnyUse || !rejectedBeforeLedger.has(String(response?.status))),
  )
