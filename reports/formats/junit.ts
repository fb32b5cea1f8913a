import { rulesOf } from '../../record/judgements/rule-verdicts.js'
import type { RunRecord, RunRow } from '../../record/types/record.js'
import { countVerdicts, type Verdict, type VerdictCounts } from '../../record/types/verdict.js'
import { conclude } from '../summary/conclusion.js'
import { divergenceInWords, seenDivergences } from '../summary/divergences.js'
import { type RowTotals, rowTotals } from '../summary/headline.js'
import { ruleMatrix, unmetRulesInWords } from '../summary/rule-matrix.js'
import { failureText } from '../wording/failure-text.js'
import { visible } from '../wording/hostile-text.js'
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
  cases: { outcome: Outcome; xml: string }[]
}

/** One test suite for each operation. Problems of the record become errors, to fail the build. */
export function junitReport(record: RunRecord): string {
  const operations = [...rowsByOperation(record)].map(([name, rows]) => operationSuite(name, rows, record))
  const { problems, inWords } = conclude(record)
  const suites = problems.length > 0 ? [...operations, problemSuite(problems)] : operations
  const all = suites.flatMap(({ cases }) => cases)
  const { tool, startedAt } = record.header
  const milliseconds = record.footer?.milliseconds ?? suites.reduce((sum, suite) => sum + suite.milliseconds, 0)
  const attributes = `${attribute('name', `${tool.name} ${tool.version}`)}${totals(all, milliseconds)}`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes}${attribute('timestamp', startedAt)}>`,
    ...suites.map((suite) => suiteXml(suite, record, inWords)),
    '</testsuites>',
    '',
  ].join('\n')
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
  const cases = problems.map((problem) => {
    const error = `<error${attribute('message', problem)} type="incomplete"/>`
    const xml = `<testcase${attribute('name', problem)} classname="run record" time="0.000">${error}</testcase>`
    return { outcome: 'error' as const, xml }
  })
  return { name: 'run record', verdicts: countVerdicts([]), unmet: '', divergences: {}, cases, milliseconds: 0 }
}

function suiteXml(
  { name, verdicts, unmet, divergences, cases, milliseconds }: Suite,
  { header }: RunRecord,
  conclusion: string,
): string {
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
  return [
    `  <testsuite${attribute('name', name)}${totals(cases, milliseconds)}${attribute('timestamp', header.startedAt)}>`,
    '    <properties>',
    ...Object.entries(properties).map(
      ([key, value]) => `      <property${attribute('name', key)}${attribute('value', value)}/>`,
    ),
    '    </properties>',
    ...cases.map(({ xml }) => `    ${xml}`),
    '  </testsuite>',
  ].join('\n')
}

const totalsOf = (verdicts: VerdictCounts): RowTotals =>
  rowTotals(
    Object.values(verdicts).reduce((sum, rows) => sum + rows, 0),
    verdicts,
  )

function caseXml(row: RunRow, { header }: RunRecord): string {
  const { resolved } = row
  const attributes = [
    attribute('name', `${row.id}: ${resolved.title}`),
    attribute('classname', `${resolved.operation}.${resolved.case}`),
    attribute('file', resolved.source.file),
    attribute('line', String(resolved.source.line)),
    attribute('time', seconds(row.milliseconds)),
  ].join('')
  const content = caseContent(row, () => xmlText(failureText(row, header)))
  return content === '' ? `<testcase${attributes}/>` : `<testcase${attributes}>${content}</testcase>`
}

function caseContent(row: RunRow, details: () => string): string {
  const outcome = outcomes[row.verdict]
  const message = attribute('message', reasonOf(row))
  if (outcome === 'passed') return row.verdict !== 'pass' ? `<system-out>${details()}</system-out>` : ''
  const code = row.reason === undefined ? '' : row.reason.code
  if (outcome === 'skipped') {
    const kind = code === '' ? row.verdict : `${row.verdict} (${code})`
    return `<skipped${attribute('message', `${kind}: ${reasonOf(row)}`)}/>`
  }
  const type = code === '' ? row.verdict : `${row.verdict}.${code}`
  return `<${outcome}${message}${attribute('type', type)}>${details()}</${outcome}>`
}

function totals(cases: Suite['cases'], milliseconds: number): string {
  const number = (outcome: Outcome) => cases.filter((one) => one.outcome === outcome).length
  const failed = `failures="${number('failure')}" errors="${number('error')}" skipped="${number('skipped')}"`
  return ` tests="${cases.length}" ${failed} time="${seconds(milliseconds)}"`
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3)
}

function attribute(name: string, value: string): string {
  return ` ${name}="${xmlText(value).replaceAll('\n', '&#10;').replaceAll('\t', '&#9;')}"`
}

/** XML forbids most control characters, even escaped ones: `visible` prints their code points. */
function xmlText(text: string): string {
  return visible(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
