import { isDeepStrictEqual } from 'node:util'
import type { Reason, ReasonCode, ReasonOf } from '../../record/types/reason.js'
import type { RunHeader, RunRecord, RunRow } from '../../record/types/record.js'
import type { ResolvedRow } from '../../record/types/resolved-row.js'
import { reasonText } from '../../reports/wording/reason-words.js'
import { type Availability, applyAvailability } from '../../runner/plan/availability.js'
import { needsAtTarget } from '../../runner/plan/given-fixtures.js'
import { requiredPermissions } from '../../runner/plan/required-permissions.js'
import { keyVariable } from '../../runner/sign/signing-key.js'
import type { ResolvedFixture, ResolvedSuite } from '../../runner/suite/resolved-suite.js'
import { altered, type BundleFinding, idsInWords, unproven } from '../finding.js'
import { declinedIn } from './check-fixtures.js'
import { lacksSignature, lacksTransaction, type PresignedParties, presignedParties } from './check-presigned.js'
import { availabilityOf } from './check-rights.js'

type Fixtures = ReadonlyMap<string, ResolvedFixture>

interface Provided {
  fixtures: Fixtures
  declined: ReadonlyMap<string, Reason>
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
        `${row.id} is recorded as ${row.verdict}, but the header contradicts the reason: ${row.reason ? reasonText(row.reason) : 'none'}`,
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
function supports(header: RunHeader, { resolved: row, reason }: RunRow, provided: Provided): boolean | undefined {
  if (!reason) return undefined
  const isSupported = supported[reason.code] as
    | ((reason: Reason, situation: Situation) => boolean | undefined)
    | undefined // of its code
  return isSupported?.(reason, { ...provided, header, row })
}

interface Situation extends Provided {
  header: RunHeader
  row: ResolvedRow
}

/** Undefined if the header does not show it. */
const supported: {
  readonly [Code in ReasonCode]?: (reason: ReasonOf<Code>, situation: Situation) => boolean | undefined
} = {
  'lacks-capability': ({ name }, { header, row }) => row.needs.includes(name) && header.capabilities[name] === false,
  'lacks-permission': (_, situation) => needsPermission(situation),
  'operation-unreachable': ({ operation }, { header }) => isUnreachable(header, operation),
  'nothing-prepared': (reason, { header, row, presigned }) =>
    isUnreachable(header, 'prepare') && lacksTransaction(row, reason, presigned),
  'signature-missing': (reason, { header, row, presigned }) => lacksSignature(row, reason, header, presigned),
  'external-party-impossible': ({ party }, { header: { capabilities, target, variables }, row, fixtures }) =>
    (capabilities['external-parties'] === false || target.file !== undefined) &&
    row.fixtures.includes(party) &&
    fixtures.get(party)?.party?.external !== undefined &&
    variables?.[keyVariable(party, 0)] === undefined,
  'party-undeclared': ({ party }, { header, row, fixtures }) =>
    isUnreachable(header, 'allocate-party') && row.fixtures.includes(party) && fixtures.get(party)?.party !== undefined,
  'value-unknown': ({ name }, { header, row, fixtures }) =>
    header.variables?.[name] === undefined &&
    !isSetByRow(name, row) &&
    JSON.stringify([row, ...fixturesOf(row, fixtures)]).includes(`\${${name}}`),
  'fixture-declined': isDeclined,
  'no-suitable-user': isUnavailable,
  'token-not-signable': isUnavailable,
  'audience-fixed': isUnavailable,
  'party-not-creatable': isUnavailable,
}

/** The run sets the marker, and the steps and values of the row set others: they cannot be unknown. */
const isSetByRow = (name: string, { steps, values }: Situation['row']): boolean =>
  name === 'row' || name in values || steps.some(({ capture }) => Object.hasOwn(capture, name))

function isDeclined(reason: ReasonOf<'fixture-declined'>, { header, row, declined }: Situation): boolean | undefined {
  const shown = header.declined?.find(({ fixture }) => fixture === reason.fixture)
  const causes = row.fixtures.flatMap((name) => declined.get(name) ?? [])
  if (causes.length === 0) return shown ? false : undefined
  return shown?.redacted === true || causes.some((cause) => isDeepStrictEqual(cause, reason))
}

function isUnavailable(reason: Reason, { header, row, fixtures, availability }: Situation): boolean | undefined {
  if (!availability) return undefined
  if (isDeepStrictEqual(applyAvailability({ row }, fixtures, availability).reason, reason)) return true
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
