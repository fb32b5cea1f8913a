/** Short rows, and their details in blocks that the page unpacks when needed. */
import { expectationsOf } from '../../record/judgements/references.js'
import { type RuleVerdicts, rulesOf } from '../../record/judgements/rule-verdicts.js'
import type { Evidence, RecordedBody, RunHeader, RunRow } from '../../record/types/record.js'
import type { ResolvedExpectation, ResolvedRow, ResolvedStep } from '../../record/types/resolved-row.js'
import type { ComparedRow } from '../summary/compared-run.js'
import { divergencesOf } from '../summary/divergences.js'
import { comparedRow, shortened } from '../summary/run-facts.js'

/** Of a whole row, before other reports reduce it. */
export interface PackedPart {
  /** Index of the block with its details. */
  block: number
  /** Index in the block. */
  place: number
  /** What the row changes in a valid request. */
  change: string
}

export interface PageRow extends ComparedRow, PackedPart, Pick<RunRow, 'configuration' | 'verdictByText'> {
  resolved: Pick<ResolvedRow, 'case' | 'title' | 'operation' | 'source' | 'impact'>
  rules: RuleVerdicts
  /** Statuses of the requests under test; the problem code without a response. */
  statuses: string[]
  situations: string[]
  divergences: string[]
}

/** Judgements refer to the indexes of expectations. */
export interface PageStep extends Pick<ResolvedStep, 'name' | 'role' | 'actor' | 'token'> {
  expectations: PageExpectation[]
}

/** The members of an expectation that its judgement lacks. */
export interface PageExpectation extends Pick<ResolvedExpectation, 'basis' | 'besides'> {
  source: string
}

/** `judgements`: only the met ones; the row has the others, also those of later reads of the ledger. */
export interface RowDetails extends Pick<RunRow, 'judgements' | 'evidence' | 'variables'> {
  steps: PageStep[]
}

export interface PageRun {
  header: RunHeader
  rows: PageRow[]
}

export function pageRow(row: RunRow, packed: PackedPart): PageRow {
  const { resolved, evidence, judgements, configuration, verdictByText } = row
  const { case: name, title, operation, source, impact } = resolved
  const tested = evidence.filter(({ role }) => role === 'act')
  return {
    ...comparedRow(row),
    ...(configuration !== undefined && { configuration }),
    ...(verdictByText && { verdictByText }),
    resolved: { case: name, title, operation, source, impact },
    rules: rulesOf(row),
    situations: [...new Set(judgements.flatMap(({ situation }) => situation ?? []))],
    divergences: divergencesOf(row),
    ...packed,
    statuses: tested.map(({ response, problem }) => String(response?.status ?? problem?.code ?? 'none')),
  }
}

/** `limit`: characters of each body. */
export function detailsOf({ judgements, evidence, variables, resolved }: RunRow, limit: number): RowDetails {
  return {
    steps: resolved.steps.map(pageStep),
    judgements: judgements.filter(({ met }) => met).map(shortened),
    evidence: evidence.map((exchange) => shortenedEvidence(exchange, limit)),
    ...(variables && { variables }),
  }
}

const pageStep = (step: ResolvedStep): PageStep => {
  const { name, role, actor, token } = step
  const expectations = expectationsOf(step).map(
    ({ source, basis, besides }): PageExpectation => ({
      source: `${source.file}:${source.line}`,
      ...(basis !== undefined && { basis }),
      ...(besides !== undefined && { besides }),
    }),
  )
  return { name, role, actor, ...(token && { token }), expectations }
}

function shortenedEvidence(evidence: Evidence, limit: number): Evidence {
  const { request, response } = evidence
  return {
    ...evidence,
    request: { ...request, ...(request.body && { body: shortenedBody(request.body, limit) }) },
    ...(response && { response: { ...response, body: shortenedBody(response.body, limit) } }),
  }
}

function shortenedBody(body: RecordedBody, limit: number): RecordedBody {
  const { text, base64, bytes } = body
  if (text !== undefined && text.length > limit) {
    return { text: text.slice(0, limit).replace(/[\ud800-\udbff]$/, ''), bytes, cut: true }
  }
  // Base64 has groups of four characters.
  if (base64 !== undefined && base64.length > limit)
    return { base64: base64.slice(0, limit - (limit % 4)), bytes, cut: true }
  return body
}
