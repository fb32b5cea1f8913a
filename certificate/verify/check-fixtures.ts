/** Whether the exchanges of fixtures in a header are those of the suite, and which fixtures they show as declined. */
import type { RecordedFixture, RunHeader, RunRecord } from '../../record/types/record.js'
import { usesRedacted } from '../../runner/judge/judge-again.js'
import { declinedCauses, declinedParty, declinedStep } from '../../runner/provision/declined-fixtures.js'
import { partyHint } from '../../runner/provision/parties.js'
import type { ResolvedFixture } from '../../runner/suite/resolved-suite.js'
import { variablesOf } from '../../runner/template/recorded-variables.js'
import { compareRequests } from './compare-requests.js'

/** Each difference as a sentence without its full stop. What is redacted cannot be compared. */
export function checkFixtures(record: RunRecord, fixtures: readonly ResolvedFixture[]): string[] {
  const { header } = record
  const known = new Map(fixtures.map((fixture) => [fixture.name, fixture]))
  return [...(header.controls ?? []), ...(header.declined ?? [])].flatMap((shown) => {
    const fixture = known.get(shown.fixture)
    if (!fixture) return [`the header has an exchange of ${shown.fixture}, which the suite does not have`]
    if (shown.redacted || usesRedacted(fixture, header)) return []
    try {
      return fixture.party ? partyDifferences(shown, fixture, header) : requestDifferences(shown, fixture, record)
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      return [`the request of the fixture ${shown.fixture} does not follow from the record (${why})`]
    }
  })
}

function requestDifferences(
  { fixture: id, variables, evidence }: RecordedFixture,
  { steps }: ResolvedFixture,
  record: RunRecord,
): string[] {
  const { header } = record
  const compared = compareRequests(record, { id, evidence: [evidence], ...(variables && { variables }) }, { steps })
  const marker = variablesOf(variables).get('row')
  const own = `${header.run}-${id}`
  // Transactions from elsewhere have markers of their own, and so have the runs of which a record is merged.
  const isForeign =
    (header.target.file?.presigned ?? 0) > 0 || header.merged !== undefined || header.resumes !== undefined
  return [
    ...compared.differences.map((what) => `the request of the fixture ${what} differs from the suite`),
    ...(isForeign || marker === own || marker === `${own}-again`
      ? []
      : [`the marker of the fixture ${id} is not that of the run`]),
  ]
}

/** The name of the party is in the request, or in the topology transactions that it carries. */
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

/** The causes, by fixture, which the exchanges of the header show; without those that they do not show. */
export function declinedIn(header: RunHeader, fixtures: readonly ResolvedFixture[]): Map<string, string> {
  const shown = new Map((header.declined ?? []).map((one) => [one.fixture, one]))
  return declinedCauses(fixtures, (fixture) => {
    const one = shown.get(fixture.name)
    if (!one) return undefined
    if (fixture.party) return header.profile.basis === 'text' ? declinedParty(one.evidence) : undefined
    try {
      return declinedStep(fixture, one.evidence, variablesOf(header.variables, one.variables))
    } catch {
      // The variables of a record may be anything, and judge nothing then.
      return undefined
    }
  })
}
