import { readPreparedTransaction } from '../../interface/prepared-transaction/codec.js'
import type { JsonValue } from '../../lib/json/json.js'
import type { Reason } from '../../record/types/reason.js'
import type { Evidence } from '../../record/types/record.js'
import type { ResolvedRow } from '../../record/types/resolved-row.js'
import { SignatureNotGiven } from '../sign/presigned-key.js'
import { type PresignedTransaction, rejectedBeforeLedger } from '../target/target-file.js'
import { byKeys } from '../template/generators.js'
import { PointerError, valueAt } from '../template/pointer.js'
import { asCaller, VariableError, type Variables, withValues } from '../template/variables.js'
import { buildRequest } from '../transport/build-request.js'
import type { Session } from './perform-step.js'

export class PresignedTransactions {
  readonly #left: Map<string, { transactions: PresignedTransaction[]; reason: Reason }>

  constructor(unused: ReadonlyMap<string, { transactions: readonly PresignedTransaction[]; reason: Reason }>) {
    this.#left = new Map(
      [...unused].map(([fixture, { transactions, reason }]) => [fixture, { transactions: [...transactions], reason }]),
    )
  }

  /** The same transaction until it is consumed, or the reason why none is left. */
  next(fixture: string): PresignedTransaction | Reason {
    const { transactions: [first] = [], reason } = this.#left.get(fixture) ?? {}
    return first ?? reason ?? { code: 'presigned-missing', fixture }
  }

  consume(fixture: string): void {
    this.#left.get(fixture)?.transactions.shift()
  }
}

/** The mark of the transaction becomes the marker of the row. */
export function withPresigned(
  { prepared, hash, mark }: PresignedTransaction,
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

/** The reason why the presigned transaction does not suffice for the row. */
export function findMissingSignature(row: ResolvedRow, variables: Variables, { keys }: Session): Reason | undefined {
  if (isOpaque(row, variables) && needsEncoding(row)) return { code: 'prepared-encoding-unknown' }
  for (const step of row.steps) {
    try {
      const scope = asCaller(step.actor, withValues(row.values, variables, byKeys(keys)))
      buildRequest(step.request, scope, byKeys(keys))
    } catch (error) {
      if (error instanceof SignatureNotGiven) return { code: 'signature-missing', key: error.key }
      // Earlier steps may capture other missing values.
      if (!(error instanceof VariableError) && !(error instanceof PointerError)) throw error
    }
  }
  return undefined
}

/** The participant may have an encoding of its own. */
function isOpaque({ steps }: ResolvedRow, variables: Variables): boolean {
  const capture = steps.find(({ presigned }) => presigned)?.capture ?? {}
  const name = Object.keys(capture).find((one) => capture[one] === '/preparedTransaction')
  const prepared = name === undefined ? undefined : variables.get(name)
  return typeof prepared === 'string' && readPreparedTransaction(prepared) === undefined
}

const needsEncoding = ({ steps, values }: ResolvedRow): boolean =>
  /"\$(?:alter|prepared-hash)"|"on":"hash"/.test(JSON.stringify([steps, values]))

/** `isAnyUse`: every request may use the transaction up. */
export const mayBeConsumed = (evidence: readonly Evidence[], isAnyUse: boolean): boolean =>
  evidence.some(
    ({ role, problem, response }) =>
      (role === 'arrange' || role === 'act') &&
      problem?.code !== 'not-sent' &&
      (isAnyUse || !rejectedBeforeLedger.has(String(response?.status))),
  )
