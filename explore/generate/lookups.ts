import { type Arbitrary, constant, constantFrom, shuffledSubarray, subarray } from 'fast-check'
import type { Step } from '../../record/types/exploration.js'
import type { Data } from '../../record/types/resolved-row.js'
import {
  type DraftContext,
  type DraftStep,
  eventFormatFor,
  type StepParts,
  stepOf,
  updateFormatFor,
  variable,
} from './draft-step.js'
import { weighted } from './draw.js'

export function lookUp({ draw, ledger, parties }: DraftContext): DraftStep {
  const contractId = draw(contractIdFrom(ledger.contracts.map(({ name }) => name)))
  const reader = variable(draw(constantFrom(...parties)))
  const readers = draw(
    weighted<Data | undefined>(
      // A participant may read the first party alone.
      [8, draw(shuffledSubarray(parties.map(variable)))],
      [3, [reader]],
      [1, undefined],
      [0.3, ['unknown::1220']],
      [0.3, [reader, 'bad party!']],
    ),
  )
  const body = { contractId, ...(readers !== undefined && { queryingParties: readers }) }
  return { step: stepOf({ about: 'look up a contract', operation: 'contract-by-id', body }) }
}

/** `known`: variables of contract ids. */
function contractIdFrom(known: readonly string[]): Arbitrary<Data> {
  if (known.length === 0) return constant(`00${'ab'.repeat(32)}`)
  return constantFrom(...known).chain((name) =>
    weighted<Data>([12, variable(name)], [1, { '$flip-digit': variable(name) }], [0.3, ''], [0.3, 'bad!']),
  )
}

/** Undefined if the sequence knows no contract. */
export function eventsOf({ draw, ledger, parties }: DraftContext): DraftStep | undefined {
  if (ledger.contracts.length === 0) return undefined
  const readers = draw(subarray([...parties], { minLength: 1 }))
  const contractId = variable(draw(constantFrom(...ledger.contracts)).name)
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
export function finalReads({ parties, external, draw }: DraftContext): Step[] {
  // Other workers continue during a delay.
  const after = draw(weighted([84, 0], [8, 250], [8, 2200]))
  const end = readEnd('end')
  return [
    after > 0 ? { ...end, about: `read the ledger end after ${after} ms`, after } : end,
    readUpdates([...parties, ...external]),
  ]
}
