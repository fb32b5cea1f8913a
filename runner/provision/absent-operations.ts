/** Sends one harmless request to each operation. */
import { type OperationName, operationNames, type SupportName, supportNames } from '../../interface/operations.js'
import type { JsonValue } from '../../lib/json/json.js'
import type { Reason } from '../../record/types/reason.js'
import { TargetError, TargetRejection } from '../target/target.js'
import type { Caller } from './caller.js'

/** The cause of each. Without operations that the settings mark as unreachable, except those under test. */
export type AbsentOperations = ReadonlyMap<string, Reason>

/** Without required members, no participant can accept a change. Reads receive a body of the wrong type. */
export const harmless: Readonly<Record<OperationName, JsonValue>> & Readonly<Partial<Record<SupportName, JsonValue>>> =
  {
    'contract-by-id': {},
    'submit-and-wait': {},
    'execute-and-wait-for-transaction': {},
    execute: {},
    'update-package-vetting': { changes: [], dryRun: true },
    prepare: {},
    'update-by-id': [],
    'update-by-offset': [],
    updates: [],
    completions: [],
    'active-contracts': [],
    'events-by-contract-id': [],
    'list-vetted-packages': [],
  }

const withoutBody: readonly SupportName[] = ['ledger-end', 'packages']

/** All of its members are optional, so one has the wrong type. */
const allocation: JsonValue = { partyIdHint: [] }

interface Sought {
  /** Operations under test are always sought. */
  needed: ReadonlySet<string>
  unreachable: ReadonlySet<string>
  /** Absences that other requests have shown. */
  known: AbsentOperations
  /** The run may create parties. */
  mayCreate: boolean
}

export async function findAbsentOperations(
  call: Caller,
  { needed, unreachable, known, mayCreate }: Sought,
): Promise<AbsentOperations> {
  const isSought = (name: SupportName): boolean => needed.has(name) && !unreachable.has(name)
  const reads = supportNames.filter((name) => isSought(name) && (name in harmless || withoutBody.includes(name)))
  const found = await Promise.all(
    [...operationNames, ...reads].map(async (name) => {
      const isExcluded = unreachable.has(name)
      const cause: Reason | undefined = isExcluded
        ? { code: 'operation-unreachable', operation: name }
        : await absenceOf(name, harmless[name], call)
      return [name, cause, isExcluded] as const
    }),
  )
  const absent = new Map([
    ...known,
    ...found.flatMap(([name, cause]) => (cause === undefined ? [] : [[name, cause] as const])),
  ])
  // A complete participant receives no incorrect allocation.
  const isIncomplete = known.size > 0 || found.some(([, cause, isExcluded]) => cause !== undefined && !isExcluded)
  if (isIncomplete && mayCreate && isSought('allocate-party')) {
    const cause = await absenceOf('allocate-party', allocation, call)
    if (cause !== undefined) absent.set('allocate-party', cause)
  }
  return absent
}

async function absenceOf(
  name: OperationName | SupportName,
  body: JsonValue | undefined,
  call: Caller,
): Promise<Reason | undefined> {
  try {
    await call(name, body)
    return undefined
  } catch (error) {
    // Rows judge a target that does not answer here.
    if (!(error instanceof TargetError)) throw error
    return absenceIn(name, error)
  }
}

export const absenceIn = (operation: OperationName | SupportName, error: TargetError): Reason | undefined =>
  error instanceof TargetRejection && isMissing(error)
    ? { code: 'operation-missing', operation, status: error.status }
    : undefined

/** Only error bodies of the participant have a code (seen on 3.5.10). */
export const isMissing = ({ status, code }: { status: number; code?: string | undefined }): boolean =>
  status === 405 || status === 501 || (status === 404 && code === undefined)
