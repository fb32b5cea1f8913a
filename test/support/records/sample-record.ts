import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readRecord } from '../../../record/file/read-record.js'
import { openRecord } from '../../../record/file/write-record.js'
import type { EndedEarly } from '../../../record/types/reason.js'
import type { Evidence, RunFooter, RunHeader, RunRecord, RunRow } from '../../../record/types/record.js'
import type { ResolvedExpectation, ResolvedRow, ResolvedStep } from '../../../record/types/resolved-row.js'
import { said, sampleEvidence, sampleExpectation, sampleJudgement, sampleRow, sampleStep } from './sample-row.js'

/** As in a response of a hostile target. */
export const hostile = [
  '<script>window.hostile = true</script>',
  '<img src="http://hostile.invalid/pixel" onerror="window.hostile = true">',
  '"><svg onload="window.hostile = true">',
  '</script></style></textarea>]]><!--',
  '\u001b[2J\u0000\u0008\u202Egnp.exe\ufffe \ud800 #TODO \\ $(touch /tmp/hostile)',
].join("'\n")

/** Of a run, by cause. */
export const endings: Readonly<Record<EndedEarly['cause'], EndedEarly>> = {
  interrupted: { cause: 'interrupted', by: 'SIGTERM' },
  'time-over': { cause: 'time-over', minutes: 5 },
  'failed-enough': { cause: 'failed-enough', failed: 1 },
  'target-gone': { cause: 'target-gone', from: '2026-11-21T12:00:00.000Z' },
}

export function sampleHeader(more: Partial<RunHeader> = {}): RunHeader {
  return {
    type: 'header',
    format: 4,
    run: '2026-11-21T12-00-00Z-7f3a',
    tool: { name: 'participant-conformance', version: '0.1.0' },
    suite: { version: '2026.11', digest: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08' },
    text: {
      title: 'The interface of a participant',
      version: '1.4',
      digest: '5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9',
    },
    profile: {
      name: 'canton-3.5',
      title: 'The reference participant, version 3.5',
      situations: [
        {
          name: 'bad-ledger-string',
          meaning: 'A string is not a LedgerString.',
          outcome: 'refused',
          alternatives: ['field: status 400, code INVALID_FIELD', 'argument: status 400, code INVALID_ARGUMENT'],
          confidence: 'observed',
          source: 'release 3.5.10',
        },
      ],
      divergences: [
        { id: 'D-3', rule: 'GEN-9', statement: 'A wrong argument kind is answered by 500.', source: 'seen on 3.5.10' },
      ],
    },
    target: { url: 'http://127.0.0.1:7575', version: '3.5.10', authorization: 'hs256', embedded: true },
    capabilities: { authorization: true, 'external-parties': true, 'several-synchronizers': false },
    seed: '20261121',
    concurrency: 16,
    startedAt: '2026-11-21T12:00:00.000Z',
    plan: planOf(sampleRows()),
    rules: [
      rule('CBI-1', 'A contract that shares no stakeholder with the querying parties is not returned.', '2.1'),
      rule('CBI-2', 'Only querying parties that are stakeholders are listed as witnesses.', '2.1'),
      rule('SAW-1', 'The answer carries the id of the resulting transaction.', '3.2'),
      rule('SAW-4', 'A command id outside its grammar is rejected, and nothing is submitted.', '3.4'),
      {
        ...rule('GEN-9', 'No request of a client is answered by a server error.', '1.5'),
        passages: ['Errors 1.5.1 (server errors)', 'Errors 1.5.2 (mistakes of clients)', 'Statuses 1.6.4 (500)'],
      },
      { ...rule('GEN-7', 'An error body should name the invalid field.', '1.5'), strength: 'should' },
      rule('VET-2', 'A dry run changes nothing.', '5.3'),
      { ...rule('VET-9', 'Topology reaches every participant.', '5.4'), untestable: 'It takes a second participant.' },
    ],
    variables: { alice: '"alice-7f3a::1220aa"', synchronizerId: '"local::1220bb"' },
    ...more,
  }
}

function rule(id: string, statement: string, section: string): RunHeader['rules'][number] {
  return { id, statement, strength: 'must', section }
}

/** One step of each role, and a probe that is sent only after an acceptance. */
function refusalSteps(): ResolvedStep[] {
  const content = (rules: string[], more: Partial<ResolvedExpectation> = {}) =>
    sampleExpectation(rules, { kind: 'content', ...more })
  const refused = sampleExpectation(['SAW-4'], {
    confidence: 'observed',
    situation: 'bad-ledger-string',
    basis: 'refusals of 3.5.10',
    anyOf: ['INVALID_FIELD', 'INVALID_ARGUMENT'].map((code) => ({
      name: code.toLowerCase().replace('invalid_', ''),
      outcome: 'refused',
      checks: [
        { on: 'status', oneOf: ['400'] },
        { on: 'body', pointer: '/code', matcher: { equals: code } },
      ],
    })),
  })
  return [
    sampleStep({ name: 'upload', role: 'arrange', expectations: [sampleExpectation([])] }),
    sampleStep({ name: 'ledger-end', role: 'probe-before', expectations: [sampleExpectation([])] }),
    sampleStep({
      expectations: [
        refused,
        sampleExpectation(['GEN-9'], { kind: 'server-error' }),
        content(['GEN-7'], { strength: 'should' }),
        content(['GEN-9'], { divergence: 'D-3' }),
      ],
    }),
    sampleStep({ name: 'read', role: 'probe-after', sentWhen: 'refused', expectations: [content(['SAW-4'])] }),
    sampleStep({
      name: 'find',
      role: 'probe-after',
      sentWhen: 'accepted',
      expectations: [content(['SAW-1'], { anyOf: [{ checks: [{ on: 'text', mentions: 'the marker' }] }] })],
    }),
    sampleStep({ name: 'remove', role: 'restore', expectations: [sampleExpectation([])] }),
  ]
}

function refusal(id: string, line: number): RunRow {
  const body = '{"code":"INTERNAL","cause":"boom","context":{}}'
  const response = {
    status: 500,
    headers: [['content-type', 'application/json']] as [string, string][],
    body: { text: body, bytes: body.length },
  }
  const judged = (more: Partial<ReturnType<typeof sampleJudgement>>) => sampleJudgement({ step: 2, ...more })
  const unmetJudgement = {
    rules: ['SAW-4'],
    confidence: 'observed' as const,
    situation: 'bad-ledger-string (field)',
    met: false,
  }
  return sampleRow(
    id,
    {
      verdict: 'fail',
      reason: said('The status was 500 where 400 is expected.'),
      judgements: [
        judged({
          expectation: 2,
          rules: ['GEN-7'],
          strength: 'should',
          subject: 'body',
          pointer: '/cause',
          wanted: ['contains "commandId"'],
          found: ['"boom"'],
          met: false,
        }),
        judged({ expectation: 1, rules: ['GEN-9'], wanted: ['below 500'], found: ['500'], met: false }),
        judged({ ...unmetJudgement, wanted: ['400'], found: ['500'] }),
        judged({
          ...unmetJudgement,
          subject: 'body',
          pointer: '/code',
          wanted: ['"INVALID_FIELD"'],
          found: ['"INTERNAL"'],
        }),
        judged({
          expectation: 3,
          rules: ['GEN-9'],
          subject: 'header content-type',
          wanted: ['application/json'],
          found: ['application/json'],
          divergence: 'D-3',
        }),
      ],
      evidence: [
        sampleEvidence({ role: 'arrange', milliseconds: 3.1 }),
        otherExchange({ step: 1, role: 'probe-before' }, '/v2/state/ledger-end'),
        sampleEvidence({
          step: 2,
          response,
          earlier: { message: 'the connection ended', startedAt: '2026-11-21T12:00:00.000Z', milliseconds: 12.5 },
        }),
        otherExchange({ step: 3, role: 'probe-after' }, '/v2/updates'),
        otherExchange({ step: 5, role: 'restore' }, '/v2/packages'),
      ],
      variables: { row: '"7f3a-000003"' },
    },
    {
      title: 'Rejects a command id that is not a LedgerString',
      source: { file: 'suites/cases/submit-and-wait/identifiers.yaml', line },
      steps: refusalSteps(),
    },
  )
}

/** Not of the request under test. */
function otherExchange(which: Pick<Evidence, 'step' | 'role'>, path: string): Evidence {
  const request = { method: 'GET', url: `http://127.0.0.1:7575${path}`, headers: [] }
  return sampleEvidence({ ...which, request, milliseconds: 8.2 })
}

/** All verdicts, in another order than the suite, with unusual bodies. */
export function sampleRows(): RunRow[] {
  return [
    sampleRow('SAW-CREATE/plain'),
    refusal('SAW-COMMAND-ID/too-long', 30),
    refusal('SAW-COMMAND-ID/blank', 31),
    ...lookUps(),
    sampleRow(
      'SAW-ERROR-BODY/field',
      {
        verdict: 'warning',
        reason: said('The error does not name the field.'),
        judgements: [
          sampleJudgement({
            rules: ['GEN-7'],
            strength: 'should',
            subject: 'body',
            pointer: '/cause',
            wanted: ['contains "commandId"'],
            found: ['"boom"'],
            met: false,
          }),
        ],
      },
      { title: 'The error names the invalid field', steps: judging('GEN-7') },
    ),
    sampleRow(
      'SAW-WAIVED/known',
      {
        verdict: 'excused',
        reason: said('Waiver W-12 covers it until 2027-01-31.'),
        judgements: [sampleJudgement({ wanted: ['200'], found: ['503'], met: false })],
      },
      { title: 'A known fault' },
    ),
    sampleRow('SAW-WAIVED/fixed', { verdict: 'unexpected-pass', reason: said('Waiver W-9 expects it to fail.') }),
    ...dryRuns(),
  ]
}

/** One has a hostile response. */
function lookUps(): RunRow[] {
  const url = 'http://127.0.0.1:7575/v2/contracts/contract-by-id'
  const lookUp = (name: string, line: number, title: string, more: Partial<RunRow> = {}) => {
    const source = { file: 'suites/cases/contract-by-id/visibility.yaml', line }
    const judgements = [sampleJudgement({ rules: ['CBI-1'] })]
    const resolved = { title, source, operation: 'contract-by-id', impact: 'read' as const, steps: judging('CBI-1') }
    return sampleRow(`CBI-VISIBLE/${name}`, { judgements, ...more }, resolved)
  }
  const answering = (body: NonNullable<Evidence['response']>['body'], headers: [string, string][] = []) => [
    sampleEvidence({ response: { status: 200, headers, body } }),
  ]
  const long = { text: `"${'long '.repeat(4000)}`, bytes: 3_000_000, cut: true as const }
  const binary = { ...sampleEvidence().request, url, body: { base64: '/w8AJw==', bytes: 4 } }
  return [
    lookUp('hostile', 9, `A hostile response is only text: ${hostile}`, {
      verdict: 'fail',
      reason: said(hostile),
      judgements: [
        sampleJudgement({
          rules: ['CBI-1'],
          subject: 'body',
          pointer: '',
          wanted: ['absent'],
          found: [hostile],
          met: false,
        }),
      ],
      evidence: answering({ text: hostile, bytes: 300 }, [['x-note', hostile]]),
    }),
    lookUp('binary', 12, 'Rejects a body that is not UTF-8', { evidence: [sampleEvidence({ request: binary })] }),
    lookUp('long', 14, 'Returns a long response', { evidence: answering(long) }),
    lookUp('two-synchronizers', 20, 'Returns a contract of the second synchronizer', {
      verdict: 'not-applicable',
      reason: said('The target has one synchronizer.'),
      judgements: [],
      evidence: [],
      milliseconds: 0,
    }),
  ]
}

/** Without a judgement. */
function dryRuns(): RunRow[] {
  const dryRun = (name: string, title: string, more: Partial<RunRow>, resolved: Partial<ResolvedRow> = {}) =>
    sampleRow(
      `VET-DRY-RUN/${name}`,
      { judgements: [], ...more },
      { operation: 'update-vetting', title, steps: judging('VET-2'), ...resolved },
    )
  const blocked = 'The package could not be uploaded: the target answered 403.'
  return [
    dryRun(
      'set-up',
      'A dry run leaves the vetted packages as they are',
      { verdict: 'blocked', reason: said(blocked), evidence: [] },
      { impact: 'topology' },
    ),
    dryRun('lost', 'Returns the result of a dry run', {
      verdict: 'error',
      reason: said('The connection was reset before a response.'),
      evidence: [noAnswer()],
    }),
  ]
}

const judging = (name: string): ResolvedStep[] => [sampleStep({ expectations: [sampleExpectation([name])] })]

function noAnswer(): Evidence {
  const { response: _, ...rest } = sampleEvidence()
  return { ...rest, problem: { code: 'reset', message: 'the peer closed the connection after 0 bytes' } }
}

export const planOf = (rows: readonly RunRow[]): string[] => rows.map(({ id }) => id)

export const sampleEnd = { endedAt: '2026-11-21T12:02:05.000Z', milliseconds: 125_000 }

export async function writeSample(
  path: string,
  rows: readonly RunRow[],
  header: Partial<RunHeader> = {},
): Promise<RunFooter> {
  const writer = await openRecord(path, sampleHeader({ plan: planOf(rows), ...header }))
  await Promise.all(rows.map((row) => writer.row(row)))
  return (await writer.close(sampleEnd)).footer
}

export async function sampleRecord(rows = sampleRows(), header: Partial<RunHeader> = {}): Promise<RunRecord> {
  const folder = await mkdtemp(join(tmpdir(), 'run-record-'))
  try {
    const path = join(folder, 'run.ndjson')
    await writeSample(path, rows, header)
    return await readRecord(path)
  } finally {
    await rm(folder, { recursive: true })
  }
}
