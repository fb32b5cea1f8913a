/** Covers all combinations of values of any `strength` members. */
import type { OperationName } from '../../interface/operations.js'
import type { Data } from '../../record/types/resolved-row.js'
import { type Members, membersOf, type Prepared, type Subject } from './combined-members.js'
import { coveringArray } from './covering-array.js'
import { type DraftContext, type DraftStep, stepOf } from './draft-step.js'
import { completionsAfter, prepareContract } from './executions.js'
import type { Random } from './random.js'

export class Combinations {
  readonly #rows: number[][]
  readonly #operation: OperationName
  readonly #subject: Omit<Subject, 'prepared'>
  #at: number
  /** Remains usable until an execution succeeds. */
  #prepared: Prepared | undefined

  constructor(operation: OperationName, random: Random, strength: number, subject: Omit<Subject, 'prepared'>) {
    this.#operation = operation
    this.#subject = subject
    this.#rows = rowsFor(operation, membersOf[operation]({ ...subject, prepared: nothingPrepared }, 0), strength)
    this.#at = random.below(this.#rows.length)
  }

  next(context: DraftContext): DraftStep {
    if (!this.#operation.startsWith('execute'))
      return { step: this.#step(context, nothingPrepared, actors[this.#operation]) }
    const { enqueue, external } = context
    const prepared = this.#prepared
    if (prepared) return this.#execution(context, prepared)
    return prepareContract(context, context.random.pick(external), (made) => {
      this.#prepared = made
      enqueue(this.#execution(context, made))
    })
  }

  /** `execute` returns no result, so it reads the completion. */
  #execution(context: DraftContext, prepared: Prepared): DraftStep {
    const { ledger, enqueue } = context
    return {
      step: this.#step(context, prepared, 'signer'),
      onAnswer: (answer) => {
        if (answer === undefined) return undefined
        this.#prepared = undefined
        if (this.#operation === 'execute') enqueue(completionsAfter(`${prepared.prepared}.begin`, prepared.party))
        return ledger.observe(answer, '/transaction/events')
      },
    }
  }

  #step({ number }: DraftContext, prepared: Prepared, actor: string) {
    const row = this.#rows[this.#at % this.#rows.length] ?? []
    this.#at += 1
    const members = Object.entries(membersOf[this.#operation]({ ...this.#subject, prepared }, number()))
    const body = Object.fromEntries(
      members.flatMap(([name, values], index): [string, Data][] => {
        const value = values[row[index] ?? 0]
        return value === undefined ? [] : [[name, value]]
      }),
    )
    return stepOf({ about: `combination ${this.#at}`, operation: this.#operation, actor, body })
  }
}

const nothingPrepared: Prepared = { prepared: '', party: '', scheme: 'V2' }

const actors: Readonly<Record<OperationName, string>> = {
  'contract-by-id': 'operator',
  'submit-and-wait': 'operator',
  execute: 'signer',
  'execute-and-wait-for-transaction': 'signer',
  'update-package-vetting': 'administrator',
}

const made = new Map<string, number[][]>()

/** An invalid member hides later checks, so each value also occurs with valid others. */
function rowsFor(operation: string, members: Members, strength: number): number[][] {
  const name = `${operation} ${strength}`
  const known = made.get(name)
  if (known) return known
  const levels = Object.values(members).map((values) => values.length)
  const single = levels.flatMap((count, at) =>
    Array.from({ length: count }, (_, value) => levels.map((_, index) => (index === at ? value : 0))),
  )
  const rows = alternating(single, coveringArray(levels, Math.min(strength, levels.length)))
  made.set(name, rows)
  return rows
}

const alternating = (one: readonly number[][], other: readonly number[][]): number[][] =>
  Array.from({ length: Math.max(one.length, other.length) }, (_, index) => [one[index], other[index]])
    .flat()
    .filter((row) => row !== undefined)
