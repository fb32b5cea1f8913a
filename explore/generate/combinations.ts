/** Requests in which every pair of values of any two members stands somewhere, whatever the others are: right ones and wrong ones. */
import type { OperationName } from '../../interface/operations.js'
import type { Data } from '../../record/types/resolved-row.js'
import { type Members, membersOf, type Prepared, type Subject } from './combined-members.js'
import { coveringArray } from './covering-array.js'
import { type Drafted, type Drafting, turnOf } from './draft-step.js'
import { completionsBehind, prepareSimply } from './executions.js'
import type { Random } from './random.js'

/** A maker of turns, one row after the other, beginning anywhere. */
export class Combinations {
  readonly #rows: number[][]
  readonly #operation: OperationName
  readonly #subject: Omit<Subject, 'prepared'>
  #at: number
  /** Waits to be executed: what is refused leaves it as it is. */
  #prepared: Prepared | undefined

  constructor(operation: OperationName, random: Random, strength: number, subject: Omit<Subject, 'prepared'>) {
    this.#operation = operation
    this.#subject = subject
    this.#rows = rowsFor(operation, membersOf[operation]({ ...subject, prepared: nothingPrepared }, 0), strength)
    this.#at = random.below(this.#rows.length)
  }

  next(drafting: Drafting): Drafted {
    if (!this.#operation.startsWith('execute'))
      return { turn: this.#turn(drafting, nothingPrepared, actors[this.#operation]) }
    const { follow, external } = drafting
    const prepared = this.#prepared
    if (prepared) return this.#execution(drafting, prepared)
    return prepareSimply(drafting, drafting.random.pick(external), (made) => {
      this.#prepared = made
      follow(this.#execution(drafting, made))
    })
  }

  /** Whoever does not wait is told by the completion. */
  #execution(drafting: Drafting, prepared: Prepared): Drafted {
    const { ledger, follow } = drafting
    return {
      turn: this.#turn(drafting, prepared, 'signer'),
      heard: (answer) => {
        if (answer === undefined) return undefined
        this.#prepared = undefined
        if (this.#operation === 'execute') follow(completionsBehind(`${prepared.prepared}.begin`, prepared.party))
        return ledger.hear(answer, '/transaction/events')
      },
    }
  }

  #turn({ number }: Drafting, prepared: Prepared, actor: string) {
    const row = this.#rows[this.#at % this.#rows.length] ?? []
    this.#at += 1
    const members = Object.entries(membersOf[this.#operation]({ ...this.#subject, prepared }, number()))
    const body = Object.fromEntries(
      members.flatMap(([name, values], index): [string, Data][] => {
        const value = values[row[index] ?? 0]
        return value === undefined ? [] : [[name, value]]
      }),
    )
    return turnOf({ about: `combination ${this.#at}`, operation: this.#operation, actor, body })
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

/** One member that is wrong hides what comes behind it: beside the pairs each value stands once with the others right. */
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
