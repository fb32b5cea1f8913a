/** Pieces of a suite, and of evidence, as values: each is complete, and tests say only what matters to them. */
import { type JsonValue, printJson } from '../interface/json.js'
import type { Evidence, Strength } from '../record/record.js'
import type {
  BaseRequest,
  Case,
  ConditionOutcome,
  Data,
  Fixture,
  Matcher,
  NamedOutcome,
  Place,
  Probe,
  Profile,
  Row,
  Rule,
  Step,
  StepVerdict,
  Suite,
} from '../runner/suite/suite.js'

export const place: Place = { file: 'cases.yaml', line: 7, column: 3 }

const named = <Value>(values: Readonly<Record<string, Value>> | undefined): Map<string, Value> =>
  new Map(Object.entries(values ?? {}))

interface StepText extends Partial<Pick<Step, 'name' | 'as' | 'token' | 'remove' | 'raw'>> {
  request?: string
  edit?: Record<string, Data>
  capture?: Record<string, string>
  outcome?: StepVerdict['outcome']
  status?: string[]
  headers?: Record<string, Matcher>
  body?: Record<string, Matcher>
  schema?: boolean
}

export const accepted = { outcome: { accepted: true } } as const
export const refused = (condition: string) => ({ outcome: { refused: condition } })

export function stepOf(text: StepText = {}): Step {
  const { request = 'ask', name = request, edit, capture, outcome, status, headers, body, schema, ...given } = text
  return {
    remove: [],
    ...given,
    name,
    request,
    edit: named(edit),
    capture: named(capture),
    verdict: {
      outcome,
      expect: {
        ...(status && { status }),
        ...(headers && { headers: named(headers) }),
        ...(body && { body: named(body) }),
        schema: schema ?? true,
      },
    },
    place,
  }
}

export const rowOf = (id: string, steps: Step[], given: Partial<Row> = {}): Row => ({
  id,
  title: `The row ${id}`,
  rules: ['MUST'],
  impact: 'read',
  needs: [],
  values: new Map(),
  steps,
  place,
  ...given,
})

export const caseOf = (id: string, rows: Row[], given: Partial<Case> = {}): Case => ({
  id,
  title: `The case ${id}`,
  operation: 'contract-by-id',
  serial: false,
  restore: [],
  rows,
  place,
  ...given,
})

export const requestOf = (name: string, operation: string, given: Partial<BaseRequest> = {}): BaseRequest => ({
  name,
  operation,
  place,
  ...given,
})

export const fixtureOf = (name: string, steps: Step[], given: Partial<Fixture> = {}): Fixture => ({
  name,
  values: new Map(),
  steps,
  place,
  ...given,
})

export const probeOf = (name: string, before: Step[], after: Step[], rules = ['MUST']): Probe => ({
  name,
  statement: 'Nothing happened.',
  rules,
  before,
  after,
  afterAcceptance: [],
  place,
})

export const conditionOf = (
  condition: string,
  alternatives: NamedOutcome[] | 'accepted',
  divergence?: string,
): ConditionOutcome => ({
  condition,
  accepted: alternatives === 'accepted',
  alternatives: alternatives === 'accepted' ? [] : alternatives,
  ...(divergence !== undefined && { divergence }),
  confidence: 'observed',
  source: 'observed',
  place,
})

export const profileOf = (given: Partial<Profile> = {}): Profile => ({
  name: 'small',
  title: 'A small profile',
  basis: 'text',
  accepted: { status: ['2xx'] },
  refused: { status: ['4xx'] },
  conditions: new Map(),
  versions: new Map(),
  forms: new Map(),
  divergences: [],
  place,
  ...given,
})

const ruleOf = (id: string, strength: Strength): Rule => ({
  id,
  statement: `This is ${strength}.`,
  strength,
  section: 'Endpoints',
  origins: [],
  operations: [],
  place,
})

const rules = [
  ...(['must', 'should', 'may', 'client'] as const).map((strength) => ruleOf(strength.toUpperCase(), strength)),
  ruleOf('GEN-NO-SERVER-ERROR', 'must'),
  ruleOf('GEN-RESPONSE-SHAPE', 'must'),
]

/** A suite with one rule of each strength; `ask` is a request that asks for the ledger end. */
export const suiteOf = (given: Partial<Suite> = {}): Suite => ({
  version: '1.2.3',
  digest: 'd'.repeat(64),
  outline: [],
  openPoints: new Map(),
  gaps: { rules: new Map(), conditions: [] },
  rules: new Map(rules.map((rule) => [rule.id, rule])),
  conditions: new Map(),
  profiles: new Map(),
  requests: new Map([['ask', requestOf('ask', 'ledger-end')]]),
  actors: new Map(),
  tokens: new Map(),
  fixtures: new Map(),
  probes: new Map(),
  cases: [],
  ...given,
})

interface AnswerText extends Partial<Pick<Evidence, 'step' | 'purpose'>> {
  status?: number
  headers?: [string, string][]
  /** The body as text, in place of JSON. */
  text?: string
  cut?: true
}

/** Evidence of an answer in JSON, unless its text is given. */
export function answered(json: JsonValue, given: AnswerText = {}): Evidence {
  const { step = 'ask', purpose = 'test', status = 200, headers = [['Content-Type', 'application/json']] } = given
  const text = given.text ?? printJson(json)
  const body = { text, bytes: Buffer.byteLength(text), ...(given.cut && { cut: given.cut }) }
  return { ...unanswered('timeout', { step, purpose }, false), response: { status, headers, body } }
}

/** Evidence of an exchange that came to nothing. */
export function unanswered(
  code: NonNullable<Evidence['problem']>['code'],
  { step = 'ask', purpose = 'test' }: Partial<Pick<Evidence, 'step' | 'purpose'>> = {},
  told = true,
): Evidence {
  return {
    step,
    purpose,
    request: { method: 'POST', url: 'http://127.0.0.1:7575/v2', headers: [] },
    ...(told && { problem: { code, message: `it ended by ${code}` } }),
    startedAt: '2026-11-21T12:00:00.000Z',
    milliseconds: 1,
  }
}
