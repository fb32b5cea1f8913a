import { rulesOf } from '../../record/judgements/rule-verdicts.js'
import type { RunHeader, RunRecord, RunRow } from '../../record/types/record.js'
import { countVerdicts, type Verdict, type VerdictCounts } from '../../record/types/verdict.js'
import { html, type Markup } from '../markup/html-template.js'
import { conclude } from '../summary/conclusion.js'
import { divergenceInWords, seenDivergences } from '../summary/divergences.js'
import { type RowTotals, rowTotals } from '../summary/headline.js'
import { ruleMatrix, unmetRulesInWords } from '../summary/rule-matrix.js'
import { failureText } from '../wording/failure-text.js'
import { reasonOf } from '../wording/reason.js'
import { rowsByOperation } from '../wording/rows.js'
import { judgedBy, textInWords } from '../wording/run-text.js'
import { verdictLine } from '../wording/terms.js'

/** A passed test with another verdict than pass has output. */
type Outcome = 'failure' | 'error' | 'skipped' | 'passed'

const outcomes: Record<Verdict, Outcome> = {
  fail: 'failure',
  error: 'error',
  blocked: 'error',
  'unexpected-pass': 'failure',
  warning: 'passed',
  excused: 'skipped',
  'follows-the-text': 'passed',
  'not-applicable': 'skipped',
  pass: 'passed',
}

interface Suite {
  name: string
  verdicts: VerdictCounts
  unmet: string
  divergences: Record<string, string>
  milliseconds: number
  cases: { outcome: Outcome; xml: Markup }[]
}

/** One test suite for each operation. Problems of the record become errors, to fail the build. */
export function junitReport(record: RunRecord): string {
  const operations = [...rowsByOperation(record)].map(([name, rows]) => operationSuite(name, rows, record))
  const { problems, inWords } = conclude(record)
  const suites = problems.length > 0 ? [...operations, problemSuite(problems)] : operations
  const all = suites.flatMap(({ cases }) => cases)
  const { tool, startedAt } = record.header
  const milliseconds = record.footer?.milliseconds ?? suites.reduce((sum, suite) => sum + suite.milliseconds, 0)
  return html`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="${tool.name} ${tool.version}" ${totals(all, milliseconds)} timestamp="${startedAt}">
${suites.map((suite) => suiteXml(suite, record, inWords))}</testsuites>
`.text
}

function operationSuite(name: string, rows: RunRow[], record: RunRecord): Suite {
  const cases = rows.map((row) => ({ outcome: outcomes[row.verdict], xml: caseXml(row, record) }))
  const verdicts = countVerdicts(rows.map(({ verdict }) => verdict))
  const unmet = unmetRulesInWords(ruleMatrix(record.header, rows.map(rulesOf)))
  const divergences = Object.fromEntries(
    seenDivergences(rows, record.header).map((one) => [`divergence ${one.id}`, divergenceInWords(one)]),
  )
  return {
    name,
    verdicts,
    unmet,
    divergences,
    cases,
    milliseconds: rows.reduce((sum, row) => sum + row.milliseconds, 0),
  }
}

function problemSuite(problems: string[]): Suite {
  const cases = problems.map((problem) => ({
    outcome: 'error' as const,
    xml: html`<testcase name="${problem}" classname="run record" time="0.000"><error message="${problem}" type="incomplete"/></testcase>`,
  }))
  return { name: 'run record', verdicts: countVerdicts([]), unmet: '', divergences: {}, cases, milliseconds: 0 }
}

function suiteXml(
  { name, verdicts, unmet, divergences, cases, milliseconds }: Suite,
  { header }: RunRecord,
  conclusion: string,
): Markup {
  const properties = {
    target: header.target.url,
    profile: judgedBy(header),
    ...(header.text && { text: textInWords(header) ?? '', 'text digest': header.text.digest }),
    suite: header.suite.version,
    digest: header.suite.digest,
    seed: header.seed,
    ...(header.repeat !== undefined && { repeat: String(header.repeat) }),
    ...(header.target.connection?.insecure && { connection: 'insecure: TLS certificate not checked' }),
    conclusion,
    ...Object.fromEntries(Object.entries(totalsOf(verdicts)).map(([name, rows]) => [name, String(rows)])),
    verdicts: verdictLine(verdicts),
    'rules not met': unmet === '' ? 'none' : unmet,
    ...divergences,
  }
  return html`  <testsuite name="${name}" ${totals(cases, milliseconds)} timestamp="${header.startedAt}">
    <properties>
${Object.entries(properties).map(([key, value]) => html`      <property name="${key}" value="${value}"/>\n`)}    </properties>
${cases.map(({ xml }) => html`    ${xml}\n`)}  </testsuite>
`
}

const totalsOf = (verdicts: VerdictCounts): RowTotals =>
  rowTotals(
    Object.values(verdicts).reduce((sum, rows) => sum + rows, 0),
    verdicts,
  )

function caseXml(row: RunRow, { header }: RunRecord): Markup {
  const { id, resolved, milliseconds } = row
  const { file, line } = resolved.source
  return html`<testcase name="${id}: ${resolved.title}" classname="${resolved.operation}.${resolved.case}" file="${file}" line="${line}" time="${seconds(milliseconds)}">${caseContent(row, header)}</testcase>`
}

function caseContent(row: RunRow, header: RunHeader): Markup | undefined {
  const { verdict, reason } = row
  const outcome = outcomes[verdict]
  if (outcome === 'passed')
    return verdict === 'pass' ? undefined : html`<system-out>${failureText(row, header)}</system-out>`
  if (outcome === 'skipped') {
    const kind = reason === undefined ? verdict : `${verdict} (${reason.code})`
    return html`<skipped message="${kind}: ${reasonOf(row)}"/>`
  }
  const type = reason === undefined ? verdict : `${verdict}.${reason.code}`
  return html`<${outcome} message="${reasonOf(row)}" type="${type}">${failureText(row, header)}</${outcome}>`
}

function totals(cases: Suite['cases'], milliseconds: number): Markup {
  const number = (outcome: Outcome) => cases.filter((one) => one.outcome === outcome).length
  return html`tests="${cases.length}" failures="${number('failure')}" errors="${number('error')}" skipped="${number('skipped')}" time="${seconds(milliseconds)}"`
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3)
}
