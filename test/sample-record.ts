import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readRecord } from '../record/read-record.js'
import type { Evidence, Judgement, RunHeader, RunRecord, RunRow } from '../record/record.js'
import { openRecord } from '../record/write-record.js'

/** Markup, terminal and XML poison in one text: what a hostile target may answer anywhere. */
export const hostile = [
  '<script>window.hostile = true</script>',
  '<img src="http://hostile.invalid/pixel" onerror="window.hostile = true">',
  '"><svg onload="window.hostile = true">',
  '</script></style></textarea>]]><!--',
  '\u001b[2J\u0000\u0008\u202Egnp.exe\ufffe \ud800 #TODO \\ $(touch /tmp/hostile)',
].join("'\n")

export function sampleHeader(more: Partial<RunHeader> = {}): RunHeader {
  return {
    type: 'header',
    format: 1,
    run: '2026-11-21T12-00-00Z-7f3a',
    tool: { name: 'participant-conformance', version: '0.1.0' },
    suite: { version: '2026.11', digest: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08' },
    profile: { name: 'canton-3.5', title: 'The reference participant, version 3.5' },
    target: { url: 'http://127.0.0.1:7575', version: '3.5.10', authorization: 'hs256', embedded: true },
    capabilities: { authorization: true, 'external-parties': true, 'several-synchronizers': false },
    seed: '20261121',
    concurrency: 8,
    startedAt: '2026-11-21T12:00:00.000Z',
    planned: sampleRows().length,
    rules: [
      rule('CBI-1', 'A contract that shares no stakeholder with the querying parties is not returned.', '2.1'),
      rule('CBI-2', 'Only querying parties that are stakeholders are listed as witnesses.', '2.1'),
      rule('SAW-1', 'The answer carries the id of the resulting transaction.', '3.2'),
      rule('SAW-4', 'A command id outside its grammar is refused, and nothing is submitted.', '3.4'),
      rule('GEN-9', 'No request of a client is answered by a server error.', '1.5'),
      { ...rule('GEN-7', 'An error body should name the field that was wrong.', '1.5'), strength: 'should' },
      rule('VET-2', 'A dry run changes nothing.', '5.3'),
      { ...rule('VET-9', 'Topology reaches every participant.', '5.4'), untestable: 'It takes a second participant.' },
    ],
    conditions: [
      {
        name: 'bad-ledger-string',
        meaning: 'A text is no LedgerString.',
        accepted: false,
        alternatives: ['field: status 400, code INVALID_FIELD', 'argument: status 400, code INVALID_ARGUMENT'],
        source: 'seen on 3.5.10',
      },
    ],
    variables: { alice: '"alice-7f3a::1220aa"', synchronizerId: '"local::1220bb"' },
    divergences: [
      { id: 'D-3', rule: 'GEN-9', statement: 'A wrong argument kind is answered by 500.', source: 'seen on 3.5.10' },
    ],
    ...more,
  }
}

function rule(id: string, statement: string, section: string): RunHeader['rules'][number] {
  return { id, statement, strength: 'must', section }
}

export function sampleJudgement(more: Partial<Judgement> = {}): Judgement {
  return {
    step: 'submit',
    rules: ['SAW-1'],
    strength: 'must',
    subject: 'status',
    expected: '200',
    actual: '200',
    met: true,
    ...more,
  }
}

export function sampleEvidence(more: Partial<Evidence> = {}): Evidence {
  const body =
    '{"commands":[{"CreateCommand":{"createArguments":{"owner":"alice"}}}],"commandId":"it\'s","actAs":["alice"]}'
  const answer = '{"updateId":"1220ab","completionOffset":9007199254740993}'
  return {
    step: 'submit',
    purpose: 'test',
    request: {
      method: 'POST',
      url: 'http://127.0.0.1:7575/v2/commands/submit-and-wait',
      headers: [
        ['Host', '127.0.0.1:7575'],
        ['Content-Type', 'application/json'],
        ['Authorization', 'Bearer [redacted]'],
        ['Content-Length', String(body.length)],
      ],
      body: { text: body, bytes: body.length },
    },
    response: {
      status: 200,
      headers: [['content-type', 'application/json']],
      body: { text: answer, bytes: answer.length },
    },
    startedAt: '2026-11-21T12:00:01.000Z',
    milliseconds: 412.6,
    ...more,
  }
}

/** A row that passed; `more` makes another of it. The id gives case and row. */
export function sampleRow(id: string, more: Partial<RunRow> = {}): RunRow {
  const [name = '', row = ''] = id.split('/')
  return {
    type: 'row',
    id,
    case: name,
    row,
    title: 'A create command is answered with the id of its transaction',
    operation: 'submit-and-wait',
    rules: ['SAW-1'],
    impact: 'write',
    source: { file: 'suites/cases/submit-and-wait/create.yaml', line: 12 },
    verdict: 'pass',
    judgements: [
      sampleJudgement(),
      sampleJudgement({ subject: 'body', pointer: '/updateId', expected: 'a string', actual: '"1220ab"' }),
    ],
    evidence: [sampleEvidence()],
    startedAt: '2026-11-21T12:00:01.000Z',
    milliseconds: 415.3,
    ...more,
  }
}

function refusal(id: string, line: number, more: Partial<RunRow> = {}): RunRow {
  const answer = '{"code":"INTERNAL","cause":"boom","context":{}}'
  const response = {
    status: 500,
    headers: [['content-type', 'application/json']] as [string, string][],
    body: { text: answer, bytes: answer.length },
  }
  return sampleRow(id, {
    title: 'A command id that is no LedgerString is refused, and nothing is submitted',
    rules: ['SAW-4', 'GEN-9', 'GEN-7'],
    source: { file: 'suites/cases/submit-and-wait/identifiers.yaml', line },
    verdict: 'fail',
    reason: 'The status was 500 where 400 is expected.',
    judgements: [
      sampleJudgement({
        rules: ['GEN-7'],
        strength: 'should',
        subject: 'body',
        pointer: '/cause',
        expected: 'contains "commandId"',
        actual: '"boom"',
        met: false,
      }),
      sampleJudgement({ rules: ['GEN-9'], expected: 'below 500', actual: '500', met: false }),
      sampleJudgement({
        rules: ['SAW-4'],
        expected: '400',
        actual: '500',
        met: false,
        condition: 'bad-ledger-string (field)',
      }),
      sampleJudgement({
        rules: ['SAW-4'],
        subject: 'body',
        pointer: '/code',
        expected: '"INVALID_FIELD"',
        actual: '"INTERNAL"',
        met: false,
      }),
      sampleJudgement({
        rules: ['GEN-9'],
        subject: 'header content-type',
        expected: 'application/json',
        actual: 'application/json',
      }),
    ],
    evidence: [
      lookAt('ledger-end', '/v2/state/ledger-end'),
      sampleEvidence({ response }),
      lookAt('read', '/v2/updates'),
    ],
    variables: { row: '"7f3a-000003"' },
    ...more,
  })
}

/** An exchange of the probe that goes around a row which must be refused. */
function lookAt(step: string, path: string): Evidence {
  const request = { method: 'GET', url: `http://127.0.0.1:7575${path}`, headers: [] }
  return sampleEvidence({ step, purpose: 'probe', request, milliseconds: 8.2 })
}

/** Rows of every verdict, in an order that no suite has, with hostile, binary, long, cut and missing bodies. */
export function sampleRows(): RunRow[] {
  const lookUp = { operation: 'contract-by-id', rules: ['CBI-1'], impact: 'read' as const }
  const url = 'http://127.0.0.1:7575/v2/contracts/contract-by-id'
  const source = (line: number) => ({ file: 'suites/cases/contract-by-id/visibility.yaml', line })
  const hostileAnswer = {
    status: 200,
    headers: [['x-note', hostile]] as [string, string][],
    body: { text: hostile, bytes: 300 },
  }
  const { request } = sampleEvidence()
  return [
    sampleRow('SAW-CREATE/plain'),
    refusal('SAW-COMMAND-ID/too-long', 30),
    refusal('SAW-COMMAND-ID/blank', 31),
    sampleRow('CBI-VISIBLE/hostile', {
      ...lookUp,
      title: `A stranger's answer is only text: ${hostile}`,
      source: source(9),
      verdict: 'fail',
      reason: hostile,
      judgements: [
        sampleJudgement({
          step: 'look up',
          rules: ['CBI-1'],
          subject: 'body',
          pointer: '',
          expected: 'absent',
          actual: hostile,
          met: false,
        }),
      ],
      evidence: [sampleEvidence({ step: 'look up', response: hostileAnswer })],
    }),
    sampleRow('CBI-VISIBLE/binary', {
      ...lookUp,
      title: 'A body that is no UTF-8 is refused',
      source: source(12),
      evidence: [sampleEvidence({ request: { ...request, url, body: { base64: '/w8AJw==', bytes: 4 } } })],
    }),
    sampleRow('CBI-VISIBLE/long', {
      ...lookUp,
      title: 'A long answer is cut, and says so',
      source: source(14),
      evidence: [
        sampleEvidence({
          response: {
            status: 200,
            headers: [],
            body: { text: `"${'long '.repeat(4000)}`, bytes: 3_000_000, cut: true },
          },
        }),
      ],
    }),
    sampleRow('CBI-VISIBLE/two-synchronizers', {
      ...lookUp,
      title: 'A contract of the second synchronizer is found',
      source: source(20),
      verdict: 'inapplicable',
      reason: 'The target has one synchronizer.',
      judgements: [],
      evidence: [],
      milliseconds: 0,
    }),
    sampleRow('SAW-ERROR-BODY/field', {
      title: 'The error names the field that was wrong',
      rules: ['GEN-7'],
      verdict: 'warning',
      reason: 'The error does not name the field.',
      judgements: [
        sampleJudgement({
          rules: ['GEN-7'],
          strength: 'should',
          subject: 'body',
          pointer: '/cause',
          expected: 'contains "commandId"',
          actual: '"boom"',
          met: false,
        }),
      ],
    }),
    sampleRow('SAW-WAIVED/known', {
      title: 'A known fault that is being worked on',
      verdict: 'excused',
      reason: 'Waiver W-12 covers it until 2027-01-31.',
      judgements: [sampleJudgement({ expected: '200', actual: '503', met: false })],
    }),
    sampleRow('SAW-WAIVED/mended', { verdict: 'unexpected-pass', reason: 'Waiver W-9 expects it to fail.' }),
    sampleRow('VET-DRY-RUN/set-up', {
      operation: 'update-vetting',
      title: 'A dry run leaves the vetted packages as they are',
      rules: ['VET-2'],
      impact: 'topology',
      verdict: 'blocked',
      reason: 'The package could not be uploaded: the target answered 403.',
      judgements: [],
      evidence: [],
    }),
    sampleRow('VET-DRY-RUN/lost', {
      operation: 'update-vetting',
      title: 'A dry run is answered at once',
      rules: ['VET-2'],
      verdict: 'error',
      reason: 'The connection was reset before an answer came.',
      judgements: [],
      evidence: [noAnswer()],
    }),
  ]
}

function noAnswer(): Evidence {
  const { response: _, ...rest } = sampleEvidence()
  return { ...rest, problem: { code: 'reset', message: 'the peer closed the connection after 0 bytes' } }
}

/** Writes a record of the rows, as a run does, and reads it back, as a report does. */
export async function sampleRecord(rows = sampleRows(), header: Partial<RunHeader> = {}): Promise<RunRecord> {
  const folder = await mkdtemp(join(tmpdir(), 'run-record-'))
  try {
    const path = join(folder, 'run.ndjson')
    const writer = await openRecord(path, sampleHeader({ planned: rows.length, ...header }))
    for (const row of rows) await writer.row(row)
    await writer.close({ endedAt: '2026-11-21T12:02:05.000Z', milliseconds: 125_000 })
    return await readRecord(path)
  } finally {
    await rm(folder, { recursive: true })
  }
}
