import type { RunHeader, RunRecord, RunRow } from '../../record/types/record.js'
import type { ResolvedRow } from '../../record/types/resolved-row.js'
import { type Availability, applyAvailability } from '../../runner/plan/availability.js'
import { needsAtTarget } from '../../runner/plan/given-fixtures.js'
import { requiredPermissions } from '../../runner/plan/required-permissions.js'
import { declinedReason } from '../../runner/provision/declined-fixtures.js'
import { keyVariable } from '../../runner/sign/signing-key.js'
import type { ResolvedFixture, ResolvedSuite } from '../../runner/suite/resolved-suite.js'
import { altered, type BundleFinding, idsInWords, unproven } from '../finding.js'
import { declinedIn } from './check-fixtures.js'
import { lacksSignature, lacksTransaction, type PresignedParties, presignedParties } from './check-presigned.js'
import { availabilityOf } from './check-rights.js'

type Fixtures = ReadonlyMap<string, ResolvedFixture>

interface Provided {
  fixtures: Fixtures
  declined: ReadonlyMap<string, string>
  availability: Availability | undefined
  presigned: PresignedParties
}

export function checkReasons(record: RunRecord, suite: Pick<ResolvedSuite, 'actors' | 'fixtures'>): BundleFinding[] {
  const fixtures = new Map(suite.fixtures.map((fixture) => [fixture.name, fixture]))
  const { header, rows } = record
  const provided = {
    fixtures,
    declined: declinedIn(header, suite.fixtures),
    availability: availabilityOf(header, suite),
    presigned: presignedParties(record, fixtures),
  }
  const open: string[] = []
  const found: string[] = []
  for (const row of rows) {
    if (row.evidence.length > 0) {
      found.push(...sentAgainst(row, header, provided))
      continue
    }
    const supported = row.verdict === 'not-applicable' ? supports(header, row, provided) : undefined
    if (supported === undefined) open.push(row.id)
    else if (!supported)
      found.push(
        `${row.id} is recorded as ${row.verdict}, but the header contradicts the reason: ${row.reason ?? 'none'}`,
      )
  }
  const unsent = open.length === 1 ? 'row was not sent; its reason has' : 'rows were not sent; their reasons have'
  return [
    ...found.map(altered),
    ...(open.length > 0 ? [unproven(`${open.length} ${unsent} no evidence in the bundle: ${idsInWords(open)}`)] : []),
  ]
}

function sentAgainst(
  { id, resolved }: RunRow,
  { capabilities, allowed }: RunHeader,
  { declined, fixtures }: Provided,
): string[] {
  const missing = needsAtTarget(resolved, fixtures).find((need) => capabilities[need] === false)
  if (missing !== undefined)
    return [`${id} was sent, but the header states that the target lacks the capability ${missing}`]
  const fixture = resolved.fixtures.find((name) => declined.has(name))
  if (fixture !== undefined)
    return [`${id} was sent, but the header shows that the target declined its fixture ${fixture}`]
  const isForbidden = resolved.impact === 'hazard' && allowed !== undefined && !allowed.includes('hazard')
  return isForbidden ? [`${id} was sent, but the header does not permit rows that can stop a participant`] : []
}

/** Undefined if the header proves nothing. */
function supports(header: RunHeader, { resolved, reason = '' }: RunRow, provided: Provided): boolean | undefined {
  for (const [pattern, isSupported] of reasons) {
    const found = pattern.exec(reason)
    if (found) return isSupported(found[1] ?? '', { ...provided, header, row: resolved, reason })
  }
  return undefined
}

interface Situation extends Provided {
  header: RunHeader
  row: ResolvedRow
  reason: string
}

type IsSupported = (name: string, situation: Situation) => boolean | undefined

/** `runner/plan` writes these reasons. */
const reasons: readonly (readonly [pattern: RegExp, isSupported: IsSupported])[] = [
  [
    /^the target lacks the capability ([\w-]+)(?:: |$)/,
    (name, { header, row }) => row.needs.includes(name) && header.capabilities[name] === false,
  ],
  [/; not permitted without --allow [a-z ]+$/, (_, situation) => needsPermission(situation)],
  [
    /^the row needs ([\w-]+), which the settings mark as unreachable$/,
    (name, { header }) => isUnreachable(header, name),
  ],
  [
    /^the row needs a prepared transaction, /,
    (_, { header, row, reason, presigned }) =>
      isUnreachable(header, 'prepare') && lacksTransaction(row, reason, presigned),
  ],
  [
    /^the target file has no signature by the key \w+… over these bytes$/,
    (_, { header, row, reason, presigned }) => lacksSignature(row, reason, header, presigned),
  ],
  [
    /^the external party ([\w-]+) cannot be created, /,
    (name, { header: { capabilities, target, variables }, row, fixtures }) =>
      (capabilities['external-parties'] === false || target.file !== undefined) &&
      row.fixtures.includes(name) &&
      fixtures.get(name)?.party?.external !== undefined &&
      variables?.[keyVariable(name, 0)] === undefined,
  ],
  [
    /^the party ([\w-]+) is not declared, and allocate-party is unreachable$/,
    (name, { header, row, fixtures }) =>
      isUnreachable(header, 'allocate-party') && row.fixtures.includes(name) && fixtures.get(name)?.party !== undefined,
  ],
  [
    /^the value of ([\w.-]+) is unknown: /,
    (name, { header, row, fixtures }) =>
      header.variables?.[name] === undefined &&
      !isSetByRow(name, row) &&
      JSON.stringify([row, ...fixturesOf(row, fixtures)]).includes(`\${${name}}`),
  ],
  [/^the participant declines an optional feature, so the fixture ([\w-]+) is missing: /, isDeclined],
  [/^no available user can act as /, isUnavailable],
  [/^the token .+ (?:cannot be created: |needs a wrong audience, )/, isUnavailable],
  [/^the party [\w-]+ cannot be created: /, isUnavailable],
]

/** The run sets the marker, and the steps and values of the row set others: they cannot be unknown. */
const isSetByRow = (name: string, { steps, values }: Situation['row']): boolean =>
  name === 'row' || name in values || steps.some(({ capture }) => Object.hasOwn(capture, name))

function isDeclined(name: string, { header, row, declined, reason }: Situation): boolean | undefined {
  const cause = declined.get(name)
  if (cause === undefined) return header.declined?.some(({ fixture }) => fixture === name) ? false : undefined
  return row.fixtures.includes(name) && (reason === declinedReason(name, cause) || reason.includes('[redacted'))
}

function isUnavailable(_: string, { header, row, fixtures, availability, reason }: Situation): boolean | undefined {
  if (!availability) return undefined
  if (applyAvailability({ row }, fixtures, availability).reason === reason) return true
  // The header does not show what the run could create.
  return header.allowed?.includes('write') ? false : undefined
}

const isUnreachable = ({ target }: RunHeader, operation: string): boolean =>
  target.file?.unreachable.includes(operation) === true

const fixturesOf = (row: ResolvedRow, fixtures: Fixtures): ResolvedFixture[] =>
  row.fixtures.flatMap((name) => fixtures.get(name) ?? [])

/** Includes permissions for users and packages. */
function needsPermission({ header, row, fixtures }: Situation): boolean {
  const { allowed = [], capabilities } = header
  const needed = new Set(requiredPermissions(row, fixtures, new Set(), capabilities))
  if (capabilities['conformance-model'] === false && row.needs.includes('conformance-model')) needed.add('upload')
  return [...needed, 'write' as const].some((permission) => !allowed.includes(permission))
}
