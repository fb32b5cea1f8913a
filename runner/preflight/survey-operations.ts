import { isOperationName, type OperationName, operationNames, operations } from '../../interface/operations.js'
import { type Finding, good, warning } from '../doctor/finding.js'
import {
  isOfOtherAuthorization,
  type Need,
  operationNeeds,
  presignedOperations,
  type Supplied,
} from '../plan/needed-operations.js'
import { selectRows } from '../plan/select.js'
import { type AbsentOperations, findAbsentOperations } from '../provision/absent-operations.js'
import type { Caller } from '../provision/caller.js'
import type { Discovery } from '../provision/discover.js'
import type { ResolvedSuite } from '../suite/resolved-suite.js'
import { TargetError } from '../target/target.js'
import { allowedIn, type RunOptions } from './run-options.js'

export interface OperationSurvey {
  absent: AbsentOperations
  /** Absent, or unreachable by the settings. */
  unavailable: ReadonlySet<string>
  missing: Finding[]
}

/** Throws `TargetError` if the target has no operation of the selected rows and no version. */
export async function surveyOperations(
  options: RunOptions,
  suite: ResolvedSuite,
  { version, synchronizerIds }: Discovery,
  first: AbsentOperations,
  parties: ReadonlySet<string>,
  call: Caller,
): Promise<OperationSurvey> {
  const unreachable: ReadonlySet<string> = options.access.unreachable
  const needs = needsOfRows(options, suite, { parties, synchronizer: synchronizerIds.length > 0 })
  const mayCreate = options.isDry !== true && allowedIn(options).has('write')
  const sought = { needed: new Set(needs.keys()), unreachable, known: first, mayCreate }
  const absent = await findAbsentOperations(call, sought)
  const tested = new Set(selectRows(suite.rows, options).map(({ operation }) => operation))
  const isAbsent = [...tested].every((name) => absent.has(name) && !unreachable.has(name))
  if (version === undefined && isAbsent)
    throw new TargetError(
      `${options.target.url} has no operation that the selected rows test: ${absencesIn(
        operationNames.filter((name) => tested.has(name)),
        absent,
      )}. Use the base URL of the JSON API.`,
    )
  const missing = [...needs.values()].filter(({ operation }) => absent.has(operation) && !unreachable.has(operation))
  return {
    absent,
    unavailable: new Set([...unreachable, ...absent.keys()]),
    missing: describeMissing(missing, absent),
  }
}

/** `POST /v2/commands/submit-and-wait returned 404 without the member code`, for each. */
const absencesIn = (names: readonly OperationName[], absent: AbsentOperations): string =>
  names
    .map((name) => {
      const cause = absent.get(name)
      const status = cause?.code === 'operation-missing' ? cause.status : 'no usable answer'
      return `${operations[name].method} ${operations[name].path} returned ${status}${status === 404 ? ' without the member code' : ''}`
    })
    .join('; ')

function needsOfRows(
  options: RunOptions,
  { rows, fixtures }: ResolvedSuite,
  supplied: Supplied,
): Map<string, MissingOperation> {
  const byName = new Map(fixtures.map((fixture) => [fixture.name, fixture]))
  const found = new Map<string, MissingOperation>()
  const hasTokens = options.target.authorization.kind !== 'none'
  const hasPresigned = options.access.presigned.length > 0
  for (const row of selectRows(rows, options)) {
    if (isOfOtherAuthorization(row, hasTokens)) continue
    const isPresignable = hasPresigned && row.steps.some(({ presignable }) => presignable)
    const ofPresigned = isPresignable ? presignedOperations.map((operation): Need => ({ operation })) : []
    for (const { operation, fixture } of [...operationNeeds(row, byName, supplied), ...ofPresigned]) {
      const known = found.get(operation) ?? { operation, rows: new Set(), own: new Set(), fixtures: new Set() }
      known.rows.add(row.id)
      if (fixture === undefined) known.own.add(row.id)
      else known.fixtures.add(fixture)
      found.set(operation, known)
    }
  }
  return found
}

interface MissingOperation {
  operation: string
  /** Ids of the rows that need it. */
  rows: Set<string>
  /** Ids of the rows that call it. */
  own: Set<string>
  /** Fixtures that the operation creates for rows. */
  fixtures: Set<string>
}

/**
 * One warning for each operation that the target lacks, with the setting that replaces it. Without the operations under
 * test whose rows alone need them: these rows have one cause in the report.
 */
function describeMissing(missing: readonly MissingOperation[], absent: AbsentOperations): Finding[] {
  return missing.flatMap((one) => {
    const { operation, rows, own, fixtures } = one
    if (isOperationName(operation) && fixtures.size === 0) return []
    const number = rows.size === 1 ? '1 selected row needs' : `${rows.size} selected rows need`
    const because = absent.get(operation)
    const advice = [...replacements(one), ...(own.size > 0 && fixtures.size > 0 ? [ownRows(own.size)] : [])].join(' ')
    return [
      warning('operations', 'operation-absent', `${number} ${operation}`, {
        ...(because && { because }),
        advice,
        facts: { operation, fixtures: [...fixtures] },
      }),
    ]
  })
}

const ownRows = (rows: number): string =>
  rows === 1 ? '1 of these rows calls it directly.' : `${rows} of these rows call it directly.`

function replacements({ operation, fixtures, own }: MissingOperation): string[] {
  const names = [...fixtures]
  if (operation === 'allocate-party')
    return [`Name existing parties: --party ${names.map((name) => `${name}=ID`).join(' ')}.`]
  if (operation === 'connected-synchronizers') return ['Set --synchronizer.']
  if (operation === 'prepare' && own.size > 0)
    return ['Add presigned transactions to a target file, with unreachable: [prepare].']
  if (names.length > 0) return [`State these fixtures under given in a target file: ${names.join(', ')}.`]
  return ['No setting replaces it.']
}

/** `named`: the operations under test of the selection. */
export function describeOperations(absent: AbsentOperations, named: readonly OperationName[]): Finding[] {
  const operations = named.filter((name) => !absent.has(name))
  const found =
    operations.length === 0
      ? []
      : [good('operations', 'operations', `the target has ${operations.join(', ')}`, { facts: { operations } })]
  const advice = 'All rows that need it are blocked, and the run is incomplete.'
  const missing = named.flatMap((operation) => {
    const cause = absent.get(operation)
    return cause === undefined
      ? []
      : [
          warning('operations', 'operation-absent', `the target lacks ${operation}`, {
            because: cause,
            advice,
            facts: { operation },
          }),
        ]
  })
  return [...found, ...missing]
}
