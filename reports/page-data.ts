/** The run as the HTML report has it: small rows at hand at once, and what is behind them in blocks, unpacked when asked for. */
import type { Evidence, Judgement, RecordedBody, RunFooter, RunHeader, RunRecord, RunRow } from '../record/record.js'
import { type Conclusion, conclude } from './conclusion.js'
import { cut } from './hostile-text.js'
import { inSuiteOrder } from './rows.js'
import { type RuleVerdicts, rulesOf } from './rule-matrix.js'

/** A row without what stands behind it: `judgements` holds those alone that were not met. */
export interface PageRow extends Omit<RunRow, 'type' | 'rules' | 'evidence' | 'variables'> {
  rules: RuleVerdicts
  /** Statuses that the row's own steps were answered with; a problem's code where there was no answer. */
  statuses: string[]
  /** Conditions and divergences by which it was judged. */
  conditions: string[]
  divergences: string[]
  /** Time of each answer to the row's own steps. */
  times: number[]
}

/** What stands behind a row. */
export type RowDetails = Pick<RunRow, 'judgements' | 'evidence' | 'variables'>

export interface PageRun {
  header: RunHeader
  footer?: RunFooter
  conclusion: Conclusion
  /** In the order of the suite. */
  rows: PageRow[]
  /** Rows per block of details. */
  blockSize: number
  /** Characters of each body that are kept. */
  bodyLimit: number
}

/** Rows whose details are packed together: few enough to unpack in a moment, many enough to pack well. */
const blockSize = 50

const longestText = 2000

/** The whole of a record as the page takes it: the run, and the details of its rows in the same order. */
export function pageRun(record: RunRecord, bodyLimit: number): { run: PageRun; details: RowDetails[] } {
  const { header, footer } = record
  const ordered = inSuiteOrder(record.rows)
  const rows = ordered.map(pageRow)
  const conclusion = conclude(record)
  const run = { header, ...(footer && { footer }), conclusion, rows, blockSize, bodyLimit }
  return { run, details: ordered.map((row) => detailsOf(row, bodyLimit)) }
}

function pageRow(row: RunRow): PageRow {
  const { type: _, rules: __, evidence, variables: ___, judgements, reason, ...rest } = row
  const own = evidence.filter(({ purpose }) => purpose === 'test')
  return {
    ...rest,
    ...(reason !== undefined && { reason: cut(reason, longestText) }),
    rules: rulesOf(row),
    judgements: judgements.filter(({ met }) => !met).map(shortened),
    conditions: each(judgements.flatMap(({ condition }) => condition ?? [])),
    divergences: each(judgements.flatMap(({ divergence }) => divergence ?? [])),
    statuses: own.map(({ response, problem }) => String(response?.status ?? problem?.code ?? 'none')),
    times: own.filter(({ response }) => response).map(({ milliseconds }) => milliseconds),
  }
}

const each = (texts: string[]): string[] => [...new Set(texts)]

function shortened(judgement: Judgement): Judgement {
  const { expected, actual } = judgement
  return { ...judgement, expected: cut(expected, longestText), actual: cut(actual, longestText) }
}

function detailsOf({ judgements, evidence, variables }: RunRow, limit: number): RowDetails {
  return {
    judgements: judgements.map(shortened),
    evidence: evidence.map((exchange) => shortenedEvidence(exchange, limit)),
    ...(variables && { variables }),
  }
}

function shortenedEvidence(evidence: Evidence, limit: number): Evidence {
  const { request, response } = evidence
  return {
    ...evidence,
    request: { ...request, ...(request.body && { body: shortenedBody(request.body, limit) }) },
    ...(response && { response: { ...response, body: shortenedBody(response.body, limit) } }),
  }
}

/** A body that is cut here has fewer characters than bytes, and says so by being cut. */
function shortenedBody(body: RecordedBody, limit: number): RecordedBody {
  const { text, base64, bytes } = body
  if (text !== undefined && text.length > limit) {
    return { text: text.slice(0, limit).replace(/[\ud800-\udbff]$/, ''), bytes, cut: true }
  }
  // Whole groups of four characters, or what is left would be no base64.
  if (base64 !== undefined && base64.length > limit)
    return { base64: base64.slice(0, limit - (limit % 4)), bytes, cut: true }
  return body
}
