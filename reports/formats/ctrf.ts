/** A record in the Common Test Report Format (JSON, ctrf.io). */
import { mapTexts } from '../../record/file/map-texts.js'
import { isUnmet, type RuleVerdicts, rulesOf } from '../../record/judgements/rule-verdicts.js'
import type { RunHeader, RunRecord, RunRow } from '../../record/types/record.js'
import type { Verdict, VerdictCounts } from '../../record/types/verdict.js'
import { conclude } from '../summary/conclusion.js'
import { divergencesOf, seenDivergences } from '../summary/divergences.js'
import { rowTotals } from '../summary/headline.js'
import { ruleMatrix } from '../summary/rule-matrix.js'
import { failureText } from '../wording/failure-text.js'
import { cut, visible } from '../wording/hostile-text.js'
import { reasonOf } from '../wording/reason.js'
import { rowsByOperation } from '../wording/rows.js'

type Status = 'passed' | 'failed' | 'skipped' | 'pending' | 'other'

/** Characters; CI servers store the texts of every build. */
const longestText = 1000
const longestTrace = 20_000

/** `other`: neither passed nor failed. */
const statuses: Record<Verdict, Status> = {
  fail: 'failed',
  error: 'failed',
  blocked: 'failed',
  'unexpected-pass': 'failed',
  warning: 'passed',
  excused: 'other',
  'follows-the-text': 'passed',
  'not-applicable': 'skipped',
  pass: 'passed',
}

interface CtrfTest {
  name: string
  status: Status
  duration: number
  [member: string]: unknown
}

/** One test for each row, and one failed test for each problem of the record. */
export function ctrfReport(record: RunRecord): string {
  const { header, footer } = record
  const { problems, outcome, inWords, unexamined, counts, executed } = conclude(record)
  const rows = [...rowsByOperation(record).values()].flat()
  const rules = ruleCounts(header, rows.map(rulesOf))
  const tests = [...rows.map((row) => rowTest(row, record)), ...problems.map(problemTest)]
  const start = epoch(header.startedAt)
  const stop = footer ? epoch(footer.endedAt) : Math.max(start, ...rows.map(endOf))
  const { embedded, authorization, url, version, connection } = header.target
  const { wants, allowed, refusals, made, profile, judgedAgain, text, suite, seed, repeat, capabilities } = header
  const report = {
    reportFormat: 'CTRF',
    specVersion: '0.0.0',
    runId: header.run,
    timestamp: new Date(stop).toISOString(),
    generatedBy: `${header.tool.name} ${header.tool.version}`,
    results: {
      tool: header.tool,
      summary: {
        ...statusCounts(tests),
        start,
        stop,
        extra: {
          outcome,
          conclusion: inWords,
          unexamined,
          counts,
          executed,
          ...rowTotals(header.plan.length, counts),
          rules,
          divergences: seenDivergences(rows, header),
        },
      },
      tests,
      environment: {
        extra: {
          target: {
            url: cut(url, longestText),
            version: version && cut(version, longestText),
            embedded,
            authorization,
            connection,
          },
          wants,
          allowed,
          refusals,
          made,
          profile: profile.name,
          judgedAgain,
          text,
          suite,
          seed,
          repeat,
          capabilities,
        },
      },
    },
  }
  return `${JSON.stringify(report, null, 2)}\n`
}

function rowTest(row: RunRow, { header }: RunRecord): CtrfTest {
  const { resolved } = row
  const rules = rulesOf(row)
  const unmet = rules.filter(([, verdict]) => isUnmet(verdict))
  const divergences = divergencesOf(row)
  const extra = {
    ...(unmet.length > 0 && { unmet: Object.fromEntries(unmet) }),
    ...(divergences.length > 0 && { divergences }),
    ...(row.reason && { reason: mapTexts(row.reason, (text) => cut(visible(text), longestText)) }),
  }
  const calm = row.verdict === 'pass' || row.verdict === 'not-applicable'
  return {
    testId: row.id,
    name: visible(`${row.id}: ${resolved.title}`),
    status: statuses[row.verdict],
    rawStatus: row.verdict,
    duration: Math.round(row.milliseconds),
    start: epoch(row.startedAt),
    stop: endOf(row),
    suite: [resolved.operation, resolved.case],
    filePath: resolved.source.file,
    line: resolved.source.line,
    tags: rules.map(([rule]) => rule),
    ...(Object.keys(extra).length > 0 && { extra }),
    ...(row.verdict !== 'pass' && { message: cut(visible(reasonOf(row)), longestText) }),
    ...(!calm && { trace: cut(failureText(row, header), longestTrace) }),
  }
}

function ruleCounts(header: RunHeader, found: RuleVerdicts[]): Record<string, Partial<VerdictCounts>> {
  const judged = ruleMatrix(header, found).filter(({ rows }) => rows > 0)
  return Object.fromEntries(
    judged.map(({ id, counts }) => [id, Object.fromEntries(Object.entries(counts).filter(([, number]) => number > 0))]),
  )
}

function problemTest(problem: string): CtrfTest {
  const suite = ['run record']
  return { name: problem, status: 'failed', rawStatus: 'incomplete', duration: 0, suite, message: problem }
}

function statusCounts(tests: CtrfTest[]): Record<'tests' | Status, number> {
  const counts = { tests: tests.length, passed: 0, failed: 0, skipped: 0, pending: 0, other: 0 }
  for (const { status } of tests) counts[status] += 1
  return counts
}

function endOf(row: RunRow): number {
  return epoch(row.startedAt) + Math.round(row.milliseconds)
}

/** Milliseconds since 1970; 0 for an invalid time, because CTRF requires an integer. */
function epoch(iso: string): number {
  const milliseconds = Date.parse(iso)
  return Number.isNaN(milliseconds) ? 0 : milliseconds
}
