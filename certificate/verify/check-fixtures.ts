import type { Reason } from '../../record/types/reason.js'
import type { RecordedFixture, RunHeader, RunRecord } from '../../record/types/record.js'
import { usesRedacted } from '../../runner/judge/judge-again.js'
import { declinedCauses, declinedParty, declinedStep } from '../../runner/provision/declined-fixtures.js'
import { partyHint } from '../../runner/provision/parties.js'
import type { ResolvedFixture } from '../../runner/suite/resolved-suite.js'
import { variablesOf } from '../../runner/template/variables.js'
import { compareRequests } from './compare-requests.js'

/** Redacted requests are not compared. */
export function checkFixtures(record: RunRecord, fixtures: readonly ResolvedFixture[]): string[] {
  const { header } = record
  const known = new Map(fixtures.map((fixture) => [fixture.name, fixture]))
  return [...(header.controls ?? []), ...(header.declined ?? [])].flatMap((shown) => {
    const fixture = known.get(shown.fixture)
    if (!fixture) return [`the header contains an exchange of the fixture ${shown.fixture}, which the suite lacks`]
    if (shown.redacted || usesRedacted(fixture, header)) return []
    try {
      return fixture.party ? partyDifferences(shown, fixture, header) : requestDifferences(shown, fixture, record)
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      return [`the request of the fixture ${shown.fixture} cannot be derived from the record (${why})`]
    }
  })
}

function requestDifferences(
  { fixture: id, variables, evidence }: RecordedFixture,
  { steps }: ResolvedFixture,
  record: RunRecord,
): string[] {
  const { header } = record
  const compared = compareRequests(
    record,
    { id: `fixture ${id}`, evidence: [evidence], ...(variables && { variables }) },
    steps,
    'suite',
  )
  const marker = variablesOf(variables).get('row')
  const own = `${header.run}-${id}`
  // Presigned transactions and merged or resumed parts have other markers.
  const isForeign =
    (header.target.file?.presigned ?? 0) > 0 || header.merged !== undefined || header.resumes !== undefined
  return [
    ...compared.differences,
    ...(isForeign || marker === own || marker === `${own}-again`
      ? []
      : [`the marker of the fixture ${id} does not belong to this run`]),
  ]
}

/** The request, or a topology transaction in it, contains the name. */
function partyDifferences(
  { evidence }: RecordedFixture,
  { name, party }: ResolvedFixture,
  { run }: RunHeader,
): string[] {
  const hint = partyHint(party?.hint ?? '', run)
  const text = evidence.request.body?.text ?? ''
  const carried = [...text.matchAll(/"transaction":"([^"]*)"/g)].map(([, bytes = '']) => Buffer.from(bytes, 'base64'))
  return [Buffer.from(text), ...carried].some((bytes) => bytes.includes(hint))
    ? []
    : [`the request of the fixture ${name} does not name its party`]
}

export function declinedIn(header: RunHeader, fixtures: readonly ResolvedFixture[]): Map<string, Reason> {
  const shown = new Map((header.declined ?? []).map((one) => [one.fixture, one]))
  return declinedCauses(fixtures, (fixture) => {
    const one = shown.get(fixture.name)
    if (!one) return undefined
    if (fixture.party) return header.profile.basis === 'text' ? declinedParty(one.evidence) : undefined
    try {
      return declinedStep(fixture, one.evidence, variablesOf(header.variables, one.variables))
    } catch {
      // Invalid variables prove nothing.
      return undefined
    }
  })
}
