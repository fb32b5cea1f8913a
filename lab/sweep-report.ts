/** Figures of the sweep in the mutation report. */
import { operationNames } from '../interface/operations.js'
import type { SweptChange } from './sweep/sweep.js'

export const sweptOperations: readonly string[] = operationNames

export interface SweptOperation {
  operation: string
  paths: number
  changes: number
  killed: number
  /** Left open, by the sentence of the table. */
  free: number
  reasons: Readonly<Record<string, number>>
}

const isOfError = ({ kind }: SweptChange): boolean => !kind.startsWith('2')

/** Two lines for an operation: of successful answers and of rejections. */
export function sweptTotals(found: readonly SweptChange[]): SweptOperation[] {
  const names = [...new Set(found.map(({ operation }) => operation))]
  return names.flatMap((operation) =>
    [false, true].flatMap((ofErrors) => {
      const own = found.filter((one) => one.operation === operation && isOfError(one) === ofErrors)
      return own.length === 0 ? [] : [totalOf(`${operation}, ${ofErrors ? 'rejections' : 'successes'}`, own)]
    }),
  )
}

function totalOf(operation: string, own: readonly SweptChange[]): SweptOperation {
  const reasons: Record<string, number> = {}
  // Sorted: the order in which threads found the changes differs from sweep to sweep.
  for (const reason of own.flatMap(({ free }) => free ?? []).toSorted()) reasons[reason] = (reasons[reason] ?? 0) + 1
  return {
    operation,
    paths: new Set(own.map(({ kind, path }) => `${kind} ${path}`)).size,
    changes: own.length,
    killed: own.filter(({ killed }) => killed).length,
    free: own.filter(({ free }) => free !== undefined).length,
    reasons,
  }
}

/** Operations that this sweep did not cover keep their figures. */
export function withSwept(before: readonly SweptOperation[], found: readonly SweptChange[]): SweptOperation[] {
  const totals = sweptTotals(found)
  return [...before.filter(({ operation }) => !totals.some((one) => one.operation === operation)), ...totals]
}

export function sweptSection(swept: readonly SweptOperation[]): string {
  if (swept.length === 0) return ''
  const lines = swept.map(
    ({ operation, paths, changes, killed, free }) =>
      `| ${operation} | ${paths} | ${changes} | ${killed} | ${free} | ${changes - killed - free} |`,
  )
  const sum = (of: (one: SweptOperation) => number): number => swept.reduce((total, one) => total + of(one), 0)
  const [changes, killed, free] = [sum((one) => one.changes), sum((one) => one.killed), sum((one) => one.free)]
  const share = ((killed / (changes - free)) * 100).toFixed(1)
  const known = new Set(swept.flatMap((one) => Object.keys(one.reasons)).toSorted())
  const reasons = [...known].map((reason) => `| ${reason} | ${sum((one) => one.reasons[reason] ?? 0)} |`)
  return `
## Sweep of all members

\`npm run sweep\` changes each member of the answers of a conforming simulator within its type, for each status class and error code, and judges the rows
that received it by canton-3.5. *Killed*: a row fails and cites a rule. *Free*: a sentence leaves the value open. ${share} % of the ${changes - free} changes that
are not free are killed.

| Answers | Paths | Changes | Killed | Free | Open |
|---|---|---|---|---|---|
${lines.join('\n')}
| total | ${sum((one) => one.paths)} | ${changes} | ${killed} | ${free} | ${changes - killed - free} |

| The sentence that leaves the value open | Changes |
|---|---|
${reasons.join('\n')}
`
}
