/** What is asked of the ledger: single contracts, transactions, completions, what is active. */

import type { Data } from '../../record/types/resolved-row.js'
import { type Drafted, type Drafting, formatFor, turnOf } from './draft-step.js'
import { variable } from './variable.js'

/** A contract by its id, for some parties or none. */
export function lookUp(drafting: Drafting, actor?: string): Drafted {
  const { random, ledger, parties } = drafting
  const known = ledger.contracts
  const contractId: Data =
    known.length > 0
      ? random.weighted<Data>([
          [12, variable(random.pick(known).name)],
          [1, { '$flip-digit': variable(random.pick(known).name) }],
          [0.3, ''],
          [0.3, 'bad!'],
        ])
      : `00${'ab'.repeat(32)}`
  const asking = random.weighted<Data | undefined>([
    [8, random.some(parties, 0.4).map(variable)],
    [3, [variable(random.pick(parties))]],
    [1, undefined],
    [0.3, ['nobody::1220']],
    [0.3, [variable(random.pick(parties)), 'bad party!']],
  ])
  return {
    turn: turnOf({
      about: 'look up a contract',
      operation: 'contract-by-id',
      body: { contractId, ...(asking !== undefined && { queryingParties: asking }) },
      ...(actor && { actor }),
    }),
  }
}

/** The events of a contract, as some parties see them. */
export function eventsOf({ random, ledger, parties }: Drafting): Drafted | undefined {
  if (ledger.contracts.length === 0) return undefined
  const readers = random.some(parties, 0.6)
  return {
    turn: turnOf({
      about: 'the events of a contract',
      operation: 'events-by-contract-id',
      body: {
        contractId: variable(random.pick(ledger.contracts).name),
        eventFormat: formatFor(readers.length > 0 ? readers : parties),
      },
    }),
  }
}

/** What became of what a user submitted; the list ends with as many as were accepted, so that nobody waits for more. */
export const completionsOf = ({ parties }: Drafting, accepted: number): Drafted => ({
  turn: turnOf({
    about: 'what became of the submissions',
    operation: 'completions',
    query: { stream_idle_timeout_ms: '300', limit: String(accepted) },
    body: { userId: variable('user'), parties: parties.map(variable), beginExclusive: variable('begin') },
  }),
})

/** Everything that has happened since the conversation began, to everybody: nothing late, lost or doubled escapes it. */
export function everything({ parties, external, random }: Drafting): Drafted[] {
  const all = [...parties, ...external]
  // Mostly at once; other conversations go on while one waits for what is late.
  const after = random.weighted<number>([
    [84, 0],
    [8, 250],
    [8, 2200],
  ])
  const end = turnOf({ about: 'where the ledger ends', operation: 'ledger-end', capture: { end: '/offset' } })
  return [
    { turn: after > 0 ? { ...end, about: `where the ledger ends ${after} ms later`, after } : end },
    {
      turn: turnOf({
        about: 'all that has happened',
        operation: 'updates',
        query: { stream_idle_timeout_ms: '5000' },
        body: {
          beginExclusive: variable('begin'),
          endInclusive: variable('end'),
          updateFormat: {
            includeTransactions: {
              eventFormat: formatFor(all, false),
              transactionShape: 'TRANSACTION_SHAPE_LEDGER_EFFECTS',
            },
          },
        },
      }),
    },
  ]
}

/** Where a conversation begins. */
export const beginning = (): Drafted => ({
  turn: turnOf({ about: 'where the ledger begins', operation: 'ledger-end', capture: { begin: '/offset' } }),
})
