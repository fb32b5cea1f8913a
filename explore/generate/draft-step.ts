import { operationNamed } from '../../interface/operations.js'
import type { JsonValue } from '../../lib/json/json.js'
import type { Step } from '../../record/types/exploration.js'
import type { BodyTemplate, Data } from '../../record/types/resolved-row.js'
import type { Draw } from './draw.js'
import type { KnownLedger } from './known-ledger.js'
import { ping, type Template } from './templates.js'

export interface DraftStep {
  step: Step
  /** `answer`: a 2xx body of the reference, otherwise undefined. Returns further captures. */
  onAnswer?(answer: JsonValue | undefined): Record<string, string> | undefined
}

export interface DraftContext {
  draw: Draw
  ledger: KnownLedger
  templates: readonly Template[]
  parties: readonly string[]
  external: readonly string[]
  hasTokens: boolean
  canChangeVetting: boolean
  hasOtherSynchronizer: boolean
  /** Of prepared transactions. */
  alterations: readonly Data[]
  number(): number
  enqueue(draft: DraftStep): void
}

export const variable = (name: string): string => `\${${name}}`

/** A string that no other sequence sends. */
export const unique = (text: string): string => `${text}-${variable('row')}`

export interface StepParts {
  about: string
  operation: string
  actor?: string
  body?: Data
  query?: Record<string, string>
  capture?: Record<string, string>
}

export function stepOf({ about, operation, actor = 'operator', body, query, capture = {} }: StepParts): Step {
  const { method, path } = operationNamed(operation) ?? { method: 'POST', path: operation }
  const template: BodyTemplate | undefined = body === undefined ? undefined : { json: body }
  return {
    about,
    operation,
    actor,
    capture,
    request: {
      method,
      path,
      ...(query && { query }),
      headers: { accept: 'application/json', ...(template && { 'content-type': 'application/json' }) },
      ...(template && { body: template }),
    },
  }
}

export const createPing = (id: string, initiator = 'alice', responder = 'bob') => ({
  CreateCommand: {
    templateId: ping,
    createArguments: { id: unique(id), initiator: variable(initiator), responder: variable(responder) },
  },
})

/** Submits one command as this party, with a command id that no other sequence uses. */
export const submitOne = (about: string, command: Data, id: string, actAs = 'alice', capture = {}): Step =>
  stepOf({
    about,
    operation: 'submit-and-wait',
    body: { commands: [command], commandId: unique(id), actAs: [variable(actAs)], userId: variable('user') },
    capture,
  })

export const eventFormatFor = (parties: readonly string[], withBlobs = true): Data => ({
  filtersByParty: Object.fromEntries(
    parties.map((name) => [
      variable(name),
      { cumulative: [{ identifierFilter: { WildcardFilter: { value: { includeCreatedEventBlob: withBlobs } } } }] },
    ]),
  ),
  verbose: true,
})

export const updateFormatFor = (parties: readonly string[], withBlobs = true, shape = 'LEDGER_EFFECTS'): Data => ({
  includeTransactions: {
    eventFormat: eventFormatFor(parties, withBlobs),
    transactionShape: `TRANSACTION_SHAPE_${shape}`,
  },
})
