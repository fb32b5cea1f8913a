/** What the makers of turns share: the environment of both, and how a turn is written down. */

import { operationNamed } from '../../interface/operations.js'
import type { JsonValue } from '../../lib/json/json.js'
import type { BodyTemplate, Data } from '../../record/types/resolved-row.js'
import type { Turn } from '../send/step.js'
import type { KnownLedger } from './known-ledger.js'
import type { Random } from './random.js'
import type { Template } from './templates.js'
import { variable } from './variable.js'

/** A turn, and what the maker does when the model has answered it. */
export interface Drafted {
  turn: Turn
  /** The answer, if it was a success; undefined for any other. What is returned is captured too. */
  heard?(answer: JsonValue | undefined): Record<string, string> | undefined
}

export interface Drafting {
  random: Random
  ledger: KnownLedger
  templates: readonly Template[]
  /** Names of parties that the participant hosts, and of those that sign for themselves. */
  parties: readonly string[]
  external: readonly string[]
  /** Tokens are asked for. */
  hasTokens: boolean
  may: { topology: boolean }
  hasOtherSynchronizer: boolean
  /** Another number with each call. */
  number(): number
  /** To be sent next, before anything else is thought of. */
  follow(drafted: Drafted): void
}

export interface TurnText {
  about: string
  operation: string
  actor?: string
  body?: Data
  query?: Record<string, string>
  params?: Record<string, string>
  capture?: Record<string, string>
}

/** A turn that asks for an operation in the usual way. */
export function turnOf({ about, operation, actor = 'operator', body, query, params, capture = {} }: TurnText): Turn {
  const { method, path } = operationNamed(operation) ?? { method: 'POST', path: operation }
  const template: BodyTemplate | undefined = body === undefined ? undefined : { json: body }
  return {
    ...{ about, operation, actor, capture },
    request: {
      ...{ method, path },
      ...(params && { params }),
      ...(query && { query }),
      headers: { accept: 'application/json', ...(template && { 'content-type': 'application/json' }) },
      ...(template && { body: template }),
    },
  }
}

/** Shows a transaction to these parties, whole, with what it takes to disclose its contracts. */
export const formatFor = (parties: readonly string[], withBlobs = true): Data => ({
  filtersByParty: Object.fromEntries(
    parties.map((name) => [
      variable(name),
      { cumulative: [{ identifierFilter: { WildcardFilter: { value: { includeCreatedEventBlob: withBlobs } } } }] },
    ]),
  ),
  verbose: true,
})
