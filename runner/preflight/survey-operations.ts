import type { Finding } from '../doctor/finding.js'
import { describeMissing, type MissingOperation } from '../doctor/missing-operations.js'
import { isOfOtherAuthorization, operationNeeds, type Supplied } from '../plan/needed-operations.js'
import { selectRows } from '../plan/select.js'
import { type AbsentOperations, findAbsentOperations } from '../provision/absent-operations.js'
import type { Caller } from '../provision/caller.js'
import type { Discovery } from '../provision/discover.js'
import type { ResolvedSuite } from '../suite/resolved-suite.js'
import { TargetError } from '../target/target.js'
import { defaultAccess } from '../target/target-file.js'
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
  suite: Pick<ResolvedSuite, 'rows' | 'fixtures'>,
  {
    absent: first,
    version,
    synchronizerIds,
  }: Pick<Discovery, 'version' | 'synchronizerIds'> & { absent: AbsentOperations },
  parties: ReadonlySet<string>,
  call: Caller,
): Promise<OperationSurvey> {
  const unreachable: ReadonlySet<string> = (options.access ?? defaultAccess).unreachable
  const needs = needsOfRows(options, suite, { parties, synchronizer: synchronizerIds.length > 0 })
  const mayCreate = options.isDry !== true && allowedIn(options).has('write')
  const sought = { needed: new Set(needs.keys()), unreachable, known: first, mayCreate }
  const absent = await findAbsentOperations(call, sought)
  const tested = new Set(selectRows(suite.rows, options).map(({ operation }) => operation))
  const isAbsent = [...tested].every((name) => absent.has(name) && !unreachable.has(name))
  if (version === undefined && isAbsent)
    throw new TargetError(
      `${options.target.url} has no operation that the selected rows test: ${[...tested].map((name) => absent.get(name)).join('; ')}. Use the base URL of the JSON API.`,
    )
  const missing = [...needs.values()].filter(({ operation }) => absent.has(operation) && !unreachable.has(operation))
  return {
    absent,
    unavailable: new Set([...unreachable, ...absent.keys()]),
    missing: describeMissing(missing, absent),
  }
}

function needsOfRows(
  options: RunOptions,
  { rows, fixtures }: Pick<ResolvedSuite, 'rows' | 'fixtures'>,
  supplied: Supplied,
): Map<string, MissingOperation> {
  const byName = new Map(fixtures.map((fixture) => [fixture.name, fixture]))
  const found = new Map<string, MissingOperation>()
  const hasTokens = options.target.authorization.kind !== 'none'
  for (const row of selectRows(rows, options)) {
    if (isOfOtherAuthorization(row, hasTokens)) continue
    for (const { operation, fixture } of operationNeeds(row, byName, supplied)) {
      const known = found.get(operation) ?? { operation, rows: new Set(), own: new Set(), fixtures: new Set() }
      known.rows.add(row.id)
      if (fixture === undefined) known.own.add(row.id)
      else known.fixtures.add(fixture)
      found.set(operation, known)
    }
  }
  return found
}
