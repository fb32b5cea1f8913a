/** Alterations by the signer, with the finding of `verify`. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { seedOf } from '../../../certificate/verify/challenge.js'
import type { Reason } from '../../../record/types/reason.js'
import type { Evidence, RunRecord, RunRow } from '../../../record/types/record.js'
import { type Alteration, eachRow, header } from './re-signed.js'

function failing(record: RunRecord, count: number, change: (row: RunRow) => RunRow): RunRecord {
  const chosen = new Set(record.rows.filter(({ verdict }) => verdict === 'pass').slice(0, count))
  return eachRow(record, (row) => (chosen.has(row) ? change({ ...row, evidence: row.evidence.map(failed) }) : row))
}

const failed = (one: Evidence): Evidence =>
  one.role === 'act' && one.response ? { ...one, response: { ...one.response, status: 599 } } : one

const unsent =
  (reason: Reason) =>
  (row: RunRow): RunRow => ({
    ...row,
    verdict: 'not-applicable',
    reason,
    judgements: [],
    evidence: [],
  })

const withBody = (one: Evidence): Evidence =>
  one.response ? { ...one, response: { ...one.response, body: { ...one.response.body, cut: true } } } : one

const isLateCheck = ({ role }: { role: string }): boolean => role === 'late-check'

const unneeded: Evidence = {
  step: 0,
  role: 'act',
  request: { method: 'GET', url: 'http://127.0.0.1:1/', headers: [] },
  startedAt: '2026-11-21T12:00:00.000Z',
  milliseconds: 0,
}

/** Removes one expectation of each step. */
function lax(record: RunRecord): RunRecord {
  for (const { resolved } of record.rows)
    for (const step of resolved.steps) step.expectations = step.expectations.slice(1)
  return record
}

export const rowAlterations: readonly Alteration[] = [
  {
    what: 'verdicts of repetitions in a run without any',
    change: (record) => eachRow(record, (row) => ({ ...row, repeated: { pass: 99, warning: 1 } })),
    named: /^rows\[[\w/-]+\]\.repeated is recorded as .*, but nothing follows/,
  },
  {
    what: 'another title of a row that redaction hides',
    change: (record) =>
      eachRow(record, (row) => ({ ...row, redacted: true, resolved: { ...row.resolved, title: 'Another title' } })),
    named: /^rows\[[\w/-]+\]\.(?:redacted|resolved\.title) is recorded as /,
  },
  {
    what: 'more exchanges of a row than a call has arguments',
    change: (record) => {
      const first = record.rows.find(({ verdict }) => verdict === 'pass')
      return eachRow(record, (row) =>
        row === first ? { ...row, evidence: [...row.evidence, ...Array<Evidence>(200_000).fill(unneeded)] } : row,
      )
    },
    named: /^rows\[[\w/-]+\]\.evidence\[\d+\] is recorded as "GET http/,
  },
  {
    what: 'a failed row recorded as blocked',
    change: (record) =>
      failing(record, 1, (row) => ({
        ...row,
        verdict: 'blocked',
        reason: { code: 'evidence-mismatch' },
        judgements: [],
      })),
    named: /^rows\[[\w/-]+\]\.verdict is recorded as "blocked", but "fail" follows/,
  },
  {
    what: 'a failed row recorded as an error',
    change: (record) =>
      failing(record, 1, (row) => ({
        ...row,
        verdict: 'error',
        reason: { code: 'tool-fault', fault: 'x' },
        judgements: [],
      })),
    named: /^rows\[[\w/-]+\]\.verdict is recorded as "error", but "fail" follows/,
  },
  {
    what: 'a failed row recorded as passed',
    change: (record) => failing(record, 1, (row) => row),
    named: /^rows\[[\w/-]+\]\.verdict is recorded as "pass", but "fail" follows/,
  },
  {
    what: 'a failed row recorded as not applicable, without evidence',
    change: (record) => failing(record, 1, unsent({ code: 'not-judged' })),
    // A row whose first request is a probe is blocked without its answer.
    named: /^rows\[[\w/-]+\]\.verdict is recorded as "not-applicable", but "(?:fail|blocked)" follows/,
  },
  {
    what: 'failed rows recorded as not applicable for a capability that the header grants',
    change: (record) => failing(record, 50, unsent({ code: 'lacks-capability', name: 'open-access' })),
    named: /^rows\[[\w/-]+\]\.verdict is recorded as "not-applicable", but "fail" follows/,
  },
  {
    what: 'failed rows recorded as not applicable for a permission that the run had',
    change: (record) =>
      failing(
        header(record, { allowed: ['read', 'write', 'topology', 'upload', 'hazard'] }),
        50,
        unsent({ code: 'lacks-permission', permissions: ['write'], allow: ['write'] }),
      ),
    named: /^rows\[[\w/-]+\]\.verdict is recorded as "not-applicable", but "fail" follows/,
  },
  {
    what: 'failed rows recorded as not applicable for a reachable operation',
    change: (record) => failing(record, 50, unsent({ code: 'operation-unreachable', operation: 'version' })),
    named: /^rows\[[\w/-]+\]\.verdict is recorded as "not-applicable", but "fail" follows/,
  },
  {
    what: 'failed rows recorded as not applicable for a party that the run could have made',
    change: (record) => failing(record, 50, unsent({ code: 'party-undeclared', party: 'alice' })),
    named: /^rows\[[\w/-]+\]\.verdict is recorded as "not-applicable", but "fail" follows/,
  },
  {
    what: 'all evidence redacted, according to the header',
    change: (record) => header(record, { redacted: true }),
    named: /^\d+ of \d+ verdicts cannot be judged again from this record: redaction removed secrets/,
  },
  {
    what: 'every row redacted',
    change: (record) => eachRow(record, (row) => ({ ...row, redacted: true })),
    named: /^\d+ of \d+ verdicts cannot be judged again from this record: redaction removed secrets/,
  },
  {
    what: 'every answer cut',
    change: (record) => eachRow(record, (row) => ({ ...row, evidence: row.evidence.map(withBody) })),
    named: /^\d+ of \d+ verdicts cannot be judged again from this record: it contains only a part of the exchange/,
  },
  {
    what: 'evidence removed, verdicts kept',
    change: (record) => eachRow(record, (row) => ({ ...row, evidence: [] })),
    named: /^rows\[[\w/-]+\]\.verdict is recorded as "pass", but "fail" follows/,
  },
  {
    what: 'evidence of late effects removed',
    change: (record) =>
      eachRow(record, (row) => ({ ...row, evidence: row.evidence.filter((one) => !isLateCheck(one)) })),
    named: /^rows\[[\w/-]+\]\.judgements\[\d\] is recorded as .*, but nothing follows/,
  },
  {
    what: 'evidence and judgements of late effects removed',
    change: (record) =>
      eachRow(record, (row) => ({
        ...row,
        evidence: row.evidence.filter((one) => !isLateCheck(one)),
        judgements: row.judgements.filter((one) => !isLateCheck(one)),
      })),
    named: /^\d+ of \d+ verdicts lack the late-effects check of the ledger: /,
  },
  {
    what: 'tokens sent to a target without authorization in the header',
    change: (record) =>
      eachRow(record, (row) => ({
        ...row,
        evidence: row.evidence.map((one) => ({
          ...one,
          request: { ...one.request, headers: [...one.request.headers, ['authorization', '[redacted]']] },
        })),
      })),
    named:
      /^rows\[[\w/-]+\]\.evidence\[0\]\.request\.headers\[\d\] is recorded as \["authorization"\], but nothing follows/,
  },
  {
    what: 'a failed row with the evidence of another row, which passed',
    change: (record) => {
      const [first, second] = record.rows.filter(
        ({ verdict, resolved }) => verdict === 'pass' && resolved.steps.length === 1,
      )
      return eachRow(record, (row) =>
        row === first && second ? { ...row, evidence: second.evidence, judgements: second.judgements } : row,
      )
    },
    // By the order of the rows, the requests differ in a header, in the body or in their number.
    named: /^rows\[[\w/-]+\]\.(?:verdict|evidence\[\d+\][\w.[\]]*) is recorded as /,
  },
  {
    what: 'another seed',
    change: (record) => header(record, { seed: 'another' }),
    named: /^rows\[[\w/-]+\]\.(?:variables\.row|evidence\[\d+\]\.request\.body) is recorded as /,
  },
  {
    what: 'another challenge than that of the run',
    change: (record) => header(record, { challenge: 'drawn yesterday' }),
    named: /^the seed of the run does not follow from the challenge in the header/,
  },
  {
    what: 'another challenge than that of the run, and its seed',
    change: (record) => header(record, { challenge: 'drawn yesterday', seed: seedOf('drawn yesterday') }),
    named: /^rows\[[\w/-]+\]\.(?:variables\.row|evidence\[\d+\]\.request\.body) is recorded as /,
  },
  {
    what: 'a laxer plan',
    change: lax,
    named: /^rows\[[\w/-]+\]\.resolved\.steps\[0\]\.expectations\[0\]\.\w+ is recorded as /,
  },
  {
    what: 'a laxer plan, of another program according to the statement',
    change: lax,
    digest: '00'.repeat(32),
    named: /^another version of the program wrote the record; this version derives different content in \d+ places/,
  },
  {
    what: 'a plan by which the interface text permits everything',
    change: (record) => {
      for (const row of record.rows) row.byText = { 0: { expectations: [] } }
      return record
    },
    named: /^rows\[[\w/-]+\]\.byText is recorded as /,
  },
  {
    what: 'an HTML report of another conclusion',
    alter: (folder) => rewrite(join(folder, 'report.html'), (text) => text.replaceAll('PASS', 'EXCELLENT')),
    named: /^report\.html differs from the report derived from the record/,
  },
  {
    what: 'a summary and a badge of another conclusion',
    alter: async (folder) => {
      for (const name of ['summary.md', 'badge.svg'])
        await rewrite(join(folder, name), (text) => text.replaceAll(/mandatory rules? not tested/g, 'findings'))
    },
    named: /^summary\.md differs from the report derived from the record/,
  },
  {
    what: 'another version of the target in the doctor report',
    alter: (folder) =>
      rewrite(join(folder, 'target.json'), (text) => text.replaceAll('"version": "', '"version": "9.')),
    named: /^target\.json and the record differ in the version/,
  },
  {
    what: 'an invented finding in the doctor report',
    alter: (folder) =>
      rewriteDoctor(folder, ({ findings, ...rest }) => ({
        ...rest,
        findings: [...findings, { about: 'way', code: 'penetration-test', level: 'good', what: 'no attack succeeded' }],
      })),
    named: /^target\.json is not the JSON output of conform doctor/,
  },
  {
    what: 'a finding of the doctor report about a name of JavaScript',
    alter: (folder) =>
      rewriteDoctor(folder, ({ findings, ...rest }) => ({
        ...rest,
        findings: [...findings, { about: 'constructor', code: 'way', level: 'good', what: 'no subject has this name' }],
      })),
    named: /^target\.json is not the JSON output of conform doctor/,
  },
  {
    what: 'a member of a finding in the doctor report',
    alter: (folder) =>
      rewriteDoctor(folder, ({ findings, ...rest }) => ({
        ...rest,
        findings: findings.map((one) => ({ ...one, approvedBy: 'an office' })),
      })),
    named: /^target\.json is not the JSON output of conform doctor/,
  },
  {
    what: 'a doctor report that is not UTF-8',
    alter: async (folder) => {
      const path = join(folder, 'target.json')
      await rewrite(path, (text) => text.replace('"what": "', '"what": "\ufffd'))
      await writeFile(path, (await readFile(path, 'latin1')).replace('\u00ef\u00bf\u00bd', '\u00ff'), 'latin1')
    },
    named: /^target\.json is not the JSON output of conform doctor/,
  },
  {
    what: 'a doctor report with a member twice',
    alter: (folder) =>
      rewrite(join(folder, 'target.json'), (text) => text.replace('{\n', '{\n  "target": "https://other.example",\n')),
    named: /^target\.json is not the JSON output of conform doctor/,
  },
]

async function rewriteDoctor(
  folder: string,
  change: (seen: { findings: object[] }) => { findings: object[] },
): Promise<void> {
  await rewrite(join(folder, 'target.json'), (text) => JSON.stringify(change(JSON.parse(text)), undefined, 2))
}

const rewrite = async (path: string, change: (text: string) => string): Promise<void> =>
  writeFile(path, change(await readFile(path, 'utf8')))
