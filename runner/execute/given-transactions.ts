/** Transactions that were prepared and signed elsewhere, in place of those that rows would have prepared. */
import type { JsonValue } from '../../interface/json.js'
import type { Evidence } from '../../record/record.js'
import { refusedBeforeTheLedger } from '../plan/given-order.js'
import { PointerError, valueAt } from '../template/pointer.js'
import type { Unused } from '../provision/given-parties.js'
import { SignatureNotGiven } from '../sign/given-key.js'
import type { Row } from '../suite/suite.js'
import type { GivenTransaction } from '../target/target-file.js'
import { VariableError, type Variables, withValues } from '../template/variables.js'
import type { Session } from './perform-step.js'
import { prepareRequest } from './prepare-request.js'

/** By fixture, those that have not been executed. */
export class GivenTransactions {
  readonly #left: Map<string, { transactions: GivenTransaction[]; reason: string }>

  constructor(unused: ReadonlyMap<string, Unused>) {
    this.#left = new Map(
      [...unused].map(([fixture, { transactions, reason }]) => [fixture, { transactions: [...transactions], reason }]),
    )
  }

  /** The one that the next row uses, which is the same one until it is used up; or why there is none. */
  next(fixture: string): GivenTransaction | string {
    const { transactions: [first] = [], reason = `nothing is given for ${fixture}` } = this.#left.get(fixture) ?? {}
    return first ?? reason
  }

  useUp(fixture: string): void {
    this.#left.get(fixture)?.transactions.shift()
  }
}

/** What a row knows that uses the transaction: what it takes from it, and the marker in it as its own. */
export function withGiven(
  { prepared, hash, mark }: GivenTransaction,
  capture: ReadonlyMap<string, string>,
  variables: Variables,
): Variables {
  const answer = { preparedTransaction: prepared, preparedTransactionHash: hash }
  const captured = [...capture].map(([name, pointer]): [string, JsonValue] => [name, valueAt(answer, pointer) ?? null])
  return new Map([...variables, ...captured, ['row', mark]])
}

/** Which signature the row would need that nobody gave. Nothing is sent to find it out. */
export function signatureMissing(row: Row, variables: Variables, session: Session): string | undefined {
  for (const step of row.steps) {
    const base = session.suite.requests.get(step.request)
    if (!base) continue
    try {
      const scope = new Map(withValues(row.values, variables, session.keys)).set('user', '')
      prepareRequest(step, base, scope, session.keys)
    } catch (error) {
      if (error instanceof SignatureNotGiven) return error.message
      // What else is missing the row itself will tell, or an earlier step will give it.
      if (!(error instanceof VariableError) && !(error instanceof PointerError)) throw error
    }
  }
  return undefined
}

/** Whether the transaction of a row may have been executed, or refused in a way that makes it unusable. */
export const mayBeUsedUp = (evidence: readonly Evidence[]): boolean =>
  evidence.some(
    ({ purpose, problem, response }) =>
      purpose === 'test' && problem?.code !== 'not-sent' && !refusedBeforeTheLedger.has(String(response?.status)),
  )
