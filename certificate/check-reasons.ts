/** Whether the header of a record supports the reasons why rows were not sent, and whether it allows the rows that were. */
import type { RunHeader, RunRecord, RunRow } from '../record/record.js'
import type { ResolvedRow } from '../record/resolved-row.js'
import { count } from '../reports/words.js'
import { permissionsFor } from '../runner/plan/asked-changes.js'
import type { ResolvedFixture, ResolvedSuite } from '../runner/suite/resolved-suite.js'
import { altered, type BundleFinding, idsInWords, unproven } from './finding.js'

type Fixtures = ReadonlyMap<string, ResolvedFixture>

export function checkReasons(
  { header, rows }: RunRecord,
  { fixtures }: Pick<ResolvedSuite, 'fixtures'>,
): BundleFinding[] {
  const known = new Map(fixtures.map((fixture) => [fixture.name, fixture]))
  const open: string[] = []
  const found: string[] = []
  for (const row of rows) {
    if (row.evidence.length > 0) {
      found.push(...sentAgainst(row, header))
      continue
    }
    const supported = row.verdict === 'not-applicable' ? supports(header, row, known) : undefined
    if (supported === undefined) open.push(row.id)
    else if (!supported)
      found.push(
        `${row.id} is recorded as ${row.verdict}, and the header contradicts the reason: ${row.reason ?? 'none'}`,
      )
  }
  const were = open.length === 1 ? 'was' : 'were'
  return [
    ...found.map(altered),
    ...(open.length > 0
      ? [
          unproven(
            `${count(open.length, 'row')} ${were} not sent, for reasons that nothing in the bundle supports: ${idsInWords(open)}`,
          ),
        ]
      : []),
  ]
}

function sentAgainst({ id, resolved }: RunRow, { capabilities, allowed }: RunHeader): string[] {
  const missing = resolved.needs.find((need) => capabilities[need] === false)
  if (missing !== undefined)
    return [`${id} was sent, and the header says that the target lacks the capability ${missing}`]
  const isForbidden = resolved.impact === 'hazard' && allowed !== undefined && !allowed.includes('hazard')
  return isForbidden ? [`${id} was sent, and the header does not allow rows that may stop a participant`] : []
}

/** Undefined where the header has nothing about it. */
function supports(header: RunHeader, { resolved, reason = '' }: RunRow, fixtures: Fixtures): boolean | undefined {
  for (const [pattern, isSupported] of reasons) {
    const found = pattern.exec(reason)
    if (found) return isSupported(found[1] ?? '', { header, row: resolved, fixtures })
  }
  return undefined
}

interface Situation {
  header: RunHeader
  row: ResolvedRow
  fixtures: Fixtures
}

type IsSupported = (name: string, situation: Situation) => boolean | undefined

/** The reasons that the plan gives (runner/plan). */
const reasons: readonly (readonly [pattern: RegExp, isSupported: IsSupported])[] = [
  [
    /^the target lacks the capability ([\w-]+)(?:: |$)/,
    (name, { header, row }) => row.needs.includes(name) && header.capabilities[name] === false,
  ],
  [/, which the run may not do; --allow .* would permit it$/, (_, situation) => needsPermission(situation)],
  [/^it needs ([\w-]+), which the settings say cannot be reached$/, (name, { header }) => isUnreachable(header, name)],
  [/^it needs a transaction that nothing prepares here, /, (_, { header }) => isUnreachable(header, 'prepare')],
  [
    /^the party [\w-]+ would have keys of its own: /,
    (_, { header: { capabilities, target } }) =>
      capabilities['external-parties'] === false || target.file !== undefined,
  ],
  [
    /^the party ([\w-]+) is not named, and allocate-party cannot be reached$/,
    (name, { header, row, fixtures }) =>
      isUnreachable(header, 'allocate-party') && row.fixtures.includes(name) && fixtures.get(name)?.party !== undefined,
  ],
  [
    /^nothing tells its ([\w.-]+): /,
    (name, { header, row, fixtures }) =>
      header.variables?.[name] === undefined &&
      JSON.stringify([row, ...fixturesOf(row, fixtures)]).includes(`\${${name}}`),
  ],
  [
    /^nobody can call as ([\w-]+) here: no credential is given for it$/,
    (name, { header: { callers } }) => callers && !callers.some(({ actor }) => actor === name),
  ],
  [
    /^the token (.+) cannot be made: /,
    (name, { header, row }) =>
      !isMinted(header.target.authorization) && row.steps.some(({ token }) => token?.name === name),
  ],
]

const isMinted = (authorization: string): boolean => authorization !== 'none' && authorization !== 'given'

const isUnreachable = ({ target }: RunHeader, operation: string): boolean =>
  target.file?.unreachable.includes(operation) === true

const fixturesOf = (row: ResolvedRow, fixtures: Fixtures): ResolvedFixture[] =>
  row.fixtures.flatMap((name) => fixtures.get(name) ?? [])

/** Users that the run would have to make, and packages that it would have to upload, the row itself does not show. */
function needsPermission({ header, row, fixtures }: Situation): boolean {
  const { allowed = [], capabilities } = header
  const needed = new Set(permissionsFor(row, fixtures, new Set(), capabilities))
  if (capabilities['conformance-model'] === false && row.needs.includes('conformance-model')) needed.add('upload')
  return [...needed, 'write' as const].some((permission) => !allowed.includes(permission))
}
