import type { Reason } from '../../../record/types/reason.js'
import type { Evidence, Judgement, RunRow } from '../../../record/types/record.js'
import type { ResolvedExpectation, ResolvedRow, ResolvedStep } from '../../../record/types/resolved-row.js'

const source = { file: 'suites/cases/submit-and-wait/create.yaml', line: 12 }

/** Status 200, by the text. */
export function sampleExpectation(rules: string[], more: Partial<ResolvedExpectation> = {}): ResolvedExpectation {
  return {
    kind: 'outcome',
    rules,
    strength: 'must',
    confidence: 'text',
    anyOf: [{ outcome: 'accepted', checks: [{ on: 'status', oneOf: ['200'] }] }],
    source: { ...source, line: source.line + 5 },
    ...more,
  }
}

/** The request under test. */
export function sampleStep(more: Partial<ResolvedStep> = {}): ResolvedStep {
  return {
    name: 'submit',
    role: 'act',
    operation: 'submit-and-wait',
    actor: 'alice',
    request: {
      method: 'POST',
      path: '/v2/commands/submit-and-wait',
      headers: { 'content-type': 'application/json' },
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the suite
      body: { json: { commands: [], commandId: '${row}', actAs: ['${alice}'] } },
    },
    capture: {},
    expectations: [
      sampleExpectation(['SAW-1']),
      sampleExpectation(['SAW-1'], {
        kind: 'content',
        anyOf: [{ checks: [{ on: 'body', pointer: '/updateId', matcher: { type: 'string' } }] }],
      }),
    ],
    source,
    ...more,
  }
}

/** In the words of a test. */
export const said = (message: string): Reason => ({ code: 'expectations-invalid', fault: message })

/** Of the first expectation. Values besides the status are equal as JSON text. */
export function sampleJudgement(more: Partial<Judgement> = {}): Judgement {
  return {
    step: 0,
    role: 'act',
    expectation: 0,
    rules: ['SAW-1'],
    strength: 'must',
    confidence: 'text',
    subject: 'status',
    check: more.subject === undefined || more.subject === 'status' ? 'status' : 'equals',
    wanted: ['200'],
    found: ['200'],
    met: true,
    ...more,
  }
}

export function sampleEvidence(more: Partial<Evidence> = {}): Evidence {
  const body =
    '{"commands":[{"CreateCommand":{"createArguments":{"owner":"alice"}}}],"commandId":"it\'s","actAs":["alice"]}'
  const answer = '{"updateId":"1220ab","completionOffset":9007199254740993}'
  return {
    step: 0,
    role: 'act',
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

/** Passed. `id`: case and row. */
export function sampleRow(id: string, more: Partial<RunRow> = {}, resolved: Partial<ResolvedRow> = {}): RunRow {
  const [name = '', row = ''] = id.split('/')
  return {
    type: 'row',
    id,
    verdict: 'pass',
    judgements: [
      sampleJudgement(),
      sampleJudgement({
        expectation: 1,
        subject: 'body',
        pointer: '/updateId',
        check: 'type',
        wanted: ['"string"'],
        found: ['"1220ab"'],
      }),
    ],
    evidence: [sampleEvidence()],
    startedAt: '2026-11-21T12:00:01.000Z',
    milliseconds: 415.3,
    resolved: {
      id,
      case: name,
      row,
      title: 'Returns the id of the transaction of a create command',
      operation: 'submit-and-wait',
      source,
      impact: 'write',
      needs: [],
      alone: false,
      fixtures: [],
      values: {},
      steps: [sampleStep()],
      ...resolved,
    },
    ...more,
  }
}

export const withResolved = (row: RunRow, change: Partial<ResolvedRow>): RunRow => ({
  ...row,
  resolved: { ...row.resolved, ...change },
})
