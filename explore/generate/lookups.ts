import type { Data } from '../../record/types/resolved-row.js'
import type { Step } from '../send/step.js'
import {
  type DraftContext,
  type DraftStep,
  eventFormatFor,
  type StepParts,
  stepOf,
  updateFormatFor,
  variable,
} from './draft-step.js'

export function lookUp({ random, ledger, parties }: DraftContext): DraftStep {
  const known = ledger.contracts
  const contractId: Data =
    known.length > 0
      ? random.weighted<Data>(
          [12, variable(random.pick(known).name)],
          [1, { '$flip-digit': variable(random.pick(known).name) }],
          [0.3, ''],
          [0.3, 'bad!'],
        )
      : `00${'ab'.repeat(32)}`
  const readers = random.weighted<Data | undefined>(
    [8, random.some(parties, 0.4).map(variable)],
    [3, [variable(random.pick(parties))]],
    [1, undefined],
    [0.3, ['nobody::1220']],
    [0.3, [variable(random.pick(parties)), 'bad party!']],
  )
  const body = { contractId, ...(readers !== undefined && { queryingParties: readers }) }
  return { step: stepOf({ about: 'look up a contract', operation: 'contract-by-id', body }) }
}

/** Undefined if the sequence knows no contract. */
export function eventsOf({ random, ledger, parties }: DraftContext): DraftStep | undefined {
  if (ledger.contracts.length === 0) return undefined
  const some = random.some(parties, 0.6)
  const readers = some.length > 0 ? some : parties
  const contractId = variable(random.pick(ledger.contracts).name)
  return { step: readEvents('read the events of a contract', { contractId, eventFormat: eventFormatFor(readers) }) }
}

export const readEvents = (about: string, body: { [name: string]: Data }): Step =>
  stepOf({ about, operation: 'events-by-contract-id', body })

/** The list ends with the number of accepted submissions, without a timeout. */
export const completionsOf = ({ parties }: DraftContext, accepted: number): DraftStep => ({
  step: stepOf({
    about: 'read the completions of the submissions',
    operation: 'completions',
    query: { stream_idle_timeout_ms: '300', limit: String(accepted) },
    body: { userId: variable('user'), parties: parties.map(variable), beginExclusive: variable('begin') },
  }),
})

export const readEnd = (capture: string): Step =>
  stepOf({ about: 'read the ledger end', operation: 'ledger-end', capture: { [capture]: '/offset' } })

export const readUpdates = (parties: readonly string[]): Step =>
  stepOf({
    about: 'read all updates',
    operation: 'updates',
    query: { stream_idle_timeout_ms: '5000' },
    body: {
      beginExclusive: variable('begin'),
      endInclusive: variable('end'),
      updateFormat: updateFormatFor(parties, false),
    },
  })

export const readUpdate = (about: string, update: string, updateFormat: Data, more: Partial<StepParts> = {}): Step =>
  stepOf({ about, operation: 'update-by-id', body: { updateId: variable(update), updateFormat }, ...more })

/** Reads as all parties; these reads show late, lost and duplicate effects. */
export function finalReads({ parties, external, random }: DraftContext): Step[] {
  // Other workers continue during a delay.
  const after = random.weighted<number>([84, 0], [8, 250], [8, 2200])
  const end = readEnd('end')
  return [
    after > 0 ? { ...end, about: `read the ledger end after ${after} ms`, after } : end,
    readUpdates([...parties, ...external]),
  ]
}
