/** Compares the requests of the last reads byte by byte with those that the run sends. */
import { type JsonValue, printJson } from '../../lib/json/json.js'
import type { Evidence, RecordedRead, RunRecord } from '../../record/types/record.js'
import { offsetIn } from '../../runner/execute/completions-watch.js'
import { sentJson } from '../../runner/judge/answer.js'
import { limitOf, partiesIn } from '../../runner/oracles/ledger-view.js'
import { readableParties } from '../../runner/oracles/readers.js'
import { activeContractsRequest, type ReadRequest, readUrl, updatesRequest } from '../../runner/oracles/update-pages.js'
import type { ResolvedSuite } from '../../runner/suite/resolved-suite.js'
import { valueAt } from '../../runner/template/pointer.js'
import { variablesOf } from '../../runner/template/variables.js'
import { baseOf } from './check-origin.js'
import { compareRequests } from './compare-requests.js'

export function checkReads(record: RunRecord, suite: ResolvedSuite): string[] {
  const { header, oracles } = record
  const reads = oracles?.reads ?? []
  if (header.merged || header.callers === undefined || reads.length === 0) return []
  const byActor = new Map(
    header.callers.map(({ actor, user, rights }) => [actor, { user, ...(rights && { rights: new Set(rights) }) }]),
  )
  const readable = readableParties({ ...suite, variables: variablesOf(header.variables), actorUsers: { byActor } })
  const wanted = new Set([...readable.values()].map((parties) => parties.join()))
  const read = new Set(reads.flatMap((one) => (one.operation === 'updates' ? partiesIn(one.evidence).join() : [])))
  const isWhole = [...wanted].every((parties) => read.has(parties))
  return [
    ...reads.flatMap((one) => differencesOf(one, wanted, record, suite)),
    ...(isWhole || read.size === 0 ? [] : ['the reads after the last row lack parties of the run']),
  ]
}

function differencesOf(
  { operation, evidence }: RecordedRead,
  wanted: ReadonlySet<string>,
  record: RunRecord,
  suite: ResolvedSuite,
): string[] {
  const base = baseOf(record.header.target.url)
  switch (operation) {
    case 'ledger-end':
      return compared(operation, evidence, readUrl(base, operation), undefined)
    case 'updates':
    case 'active-contracts': {
      const { body, query } = expectedRequest(operation, evidence)
      const url = readUrl(base, operation, query)
      const isKnown = wanted.has(partiesIn(evidence).join())
      return isKnown
        ? compared(operation, evidence, url, printJson(body))
        : [`the parties of ${operation} after the last row differ from those of the run`]
    }
    default:
      return controlDifferences(operation, evidence, record, suite)
  }
}

/** Only offsets, the token and the limit may be any. */
function expectedRequest(operation: 'updates' | 'active-contracts', evidence: Evidence): ReadRequest {
  const sent = sentJson(evidence)
  const parties = partiesIn(evidence)
  const pageLength = limitOf(evidence)
  const offset = (member: string): number => offsetIn(valueAt(sent, `/${member}`))
  const token: JsonValue | undefined = valueAt(sent, '/streamContinuationToken')
  return operation === 'updates'
    ? updatesRequest(parties, { begin: offset('beginExclusive'), end: offset('endInclusive'), pageLength })
    : activeContractsRequest(parties, {
        activeAtOffset: offset('activeAtOffset'),
        pageLength,
        ...(token !== undefined && { token }),
      })
}

function compared(operation: string, { request }: Evidence, url: string, text: string | undefined): string[] {
  // Parties and URL of the header are redacted alike, so a marker excuses no difference.
  const isSame = request.url === url && request.body?.text === text
  return isSame ? [] : [`the request of ${operation} after the last row differs from that of a run`]
}

/** Only a control of one step follows from the suite alone. */
function controlDifferences(
  operation: string,
  evidence: Evidence,
  record: RunRecord,
  { fixtures }: ResolvedSuite,
): string[] {
  const control = fixtures.find(({ controls }) => controls === operation)
  if (!control) return [`the suite has no control of ${operation}, which the run committed after the last row`]
  if (control.steps.length !== 1) return []
  const row = printJson(`${record.header.run}-${control.name}-last`)
  const own = { id: `fixture ${control.name}`, evidence: [evidence], variables: { row } }
  try {
    return compareRequests(record, own, control.steps, 'suite').differences
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return [`the request of ${operation} after the last row cannot be derived from the record (${why})`]
  }
}
