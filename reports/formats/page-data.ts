/** Short rows, and their details, which the page unpacks when it shows the rows. */
import { cutBody, withBodies } from '../../record/file/evidence-budget.js'
import { expectationsOf } from '../../record/judgements/references.js'
import { rulesOf } from '../../record/judgements/rule-verdicts.js'
import type { Evidence, RunRecord, RunRow } from '../../record/types/record.js'
import type { ResolvedStep } from '../../record/types/resolved-row.js'
import { divergencesOf } from '../summary/divergences.js'
import { comparedRow, shortened } from '../summary/run-facts.js'
import { changeText } from '../wording/change-text.js'
import { inSuiteOrder } from '../wording/rows.js'
import type { PageExpectation, PageRow, PageStep, RowDetails } from './page-row.js'

/** Bytes of a body. */
export const longestBody = 20_000

/** One at a time, because all together need several times the memory of the record. */
export function* pageRows(record: RunRecord): Generator<PageRow> {
  for (const row of inSuiteOrder(record.rows)) yield pageRow(row)
}

/** In the order of `pageRows`. `bodyLimit`: bytes of each body. */
export function* pageDetails(record: RunRecord, bodyLimit: number): Generator<RowDetails> {
  for (const row of inSuiteOrder(record.rows)) yield detailsOf(row, bodyLimit)
}

function pageRow(row: RunRow): PageRow {
  const { resolved, evidence, judgements, configuration, verdictByText } = row
  const { case: name, title, operation, source, impact } = resolved
  const tested = evidence.filter(({ role }) => role === 'act')
  return {
    ...comparedRow(row),
    ...(configuration !== undefined && { configuration }),
    ...(verdictByText && { verdictByText }),
    resolved: { case: name, title, operation, source, impact },
    rules: rulesOf(row),
    change: changeText(resolved),
    situations: [...new Set(judgements.flatMap(({ situation }) => situation ?? []))],
    divergences: divergencesOf(row),
    statuses: tested.map(({ response, problem }) => String(response?.status ?? problem?.code ?? 'none')),
  }
}

function detailsOf({ judgements, evidence, variables, resolved }: RunRow, limit: number): RowDetails {
  return {
    steps: resolved.steps.map(pageStep),
    judgements: judgements.map(shortened),
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

/** All that reports show of a row: whole exchanges only of rows that did not pass. */
export const shownRow = (row: RunRow): RunRow =>
  row.verdict === 'pass'
    ? { ...row, evidence: row.evidence.map((exchange) => shortenedEvidence(exchange, longestBody)) }
    : row

const shortenedEvidence = (evidence: Evidence, limit: number): Evidence =>
  withBodies(evidence, (body) => cutBody(body, limit))
