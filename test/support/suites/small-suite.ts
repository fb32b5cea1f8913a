/** Default values that a test overrides. */
import type { Strength } from '../../../record/types/resolved-row.js'
import type {
  BaseRequest,
  Case,
  Expected,
  Fixture,
  Location,
  Matcher,
  PermittedResponse,
  Probe,
  Profile,
  Row,
  Rule,
  SituationFact,
  Step,
  Suite,
} from '../../../runner/suite/suite.js'

export const location: Location = { file: 'cases.yaml', line: 7, column: 3 }

interface StepText extends Partial<Pick<Step, 'name' | 'as' | 'token' | 'edit' | 'remove' | 'send' | 'capture'>> {
  request?: string
  outcome?: string
  headers?: Record<string, Matcher>
  body?: Record<string, Matcher | RuledMatcher>
  schema?: boolean
}

type RuledMatcher = Matcher & { rules: string[] }

export const accepted = { outcome: 'accepted' } as const
export const situation = (name: string) => ({ outcome: name })

const expected = <What>(what: What): Expected<What> => ({ what, location })

function ruled(matcher: Matcher | RuledMatcher): Expected<Matcher> {
  if (!('rules' in matcher)) return expected(matcher)
  const { rules, ...what } = matcher
  return { what, rules, location }
}

const matchers = (given: Readonly<Record<string, Matcher | RuledMatcher>>): Map<string, Expected<Matcher>> =>
  new Map(Object.entries(given).map(([name, matcher]) => [name, ruled(matcher)]))

export function stepOf(text: StepText = {}): Step {
  const { request = 'ask', name = request, outcome, headers, body, schema, ...given } = text
  return {
    ...given,
    name,
    request,
    ...(outcome !== undefined && { outcome: expected(outcome) }),
    expect: {
      ...(headers && { headers: matchers(headers) }),
      ...(body && { body: matchers(body) }),
      schema: schema ?? true,
    },
    location,
  }
}

export const rowOf = (id: string, steps: Step[], given: Partial<Row> = {}): Row => ({
  id,
  title: `The row ${id}`,
  rules: ['MUST'],
  impact: 'read',
  needs: [],
  values: {},
  steps,
  location,
  ...given,
})

export const caseOf = (id: string, rows: Row[], given: Partial<Case> = {}): Case => ({
  id,
  title: `The case ${id}`,
  operation: 'contract-by-id',
  serial: false,
  restore: [],
  rows,
  location,
  ...given,
})

export const requestOf = (name: string, operation: string, given: Partial<BaseRequest> = {}): BaseRequest => ({
  name,
  operation,
  location,
  ...given,
})

export const fixtureOf = (name: string, steps: Step[], given: Partial<Fixture> = {}): Fixture => ({
  name,
  values: {},
  steps,
  location,
  ...given,
})

export const probeOf = (name: string, before: Step[], after: Step[], rules = ['MUST']): Probe => ({
  name,
  rules,
  before,
  after,
  afterAcceptance: [],
  location,
})

/** `accepted`: the default accepted outcome. */
export const factOf = (
  name: string,
  alternatives: PermittedResponse[] | 'accepted',
  given: Partial<SituationFact> = {},
): SituationFact => ({
  situation: name,
  alternatives: alternatives === 'accepted' ? [{ name: 'accepted', outcome: 'accepted' }] : alternatives,
  confidence: 'observed',
  source: 'observed',
  location,
  ...given,
})

export const profileOf = (given: Partial<Profile> = {}): Profile => ({
  name: 'small',
  title: 'A small profile',
  basis: 'text',
  accepted: { status: ['2xx'], confidence: 'text' },
  refused: { status: ['4xx'], confidence: 'text' },
  codes: new Map(),
  situations: new Map(),
  versions: new Map(),
  formats: new Map(),
  divergences: [],
  location,
  ...given,
})

const ruleOf = (id: string, strength: Strength): Rule => ({
  id,
  statement: `This is ${strength}.`,
  strength,
  section: 'Endpoints',
  passages: [],
  operations: [],
  location,
})

const rules = [
  ...(['must', 'should', 'may', 'client'] as const).map((strength) => ruleOf(strength.toUpperCase(), strength)),
  ruleOf('GEN-NO-SERVER-ERROR', 'must'),
  ruleOf('GEN-RESPONSE-SHAPE', 'must'),
]

/** One rule of each strength. The request `ask` reads the ledger end. */
export const suiteOf = (given: Partial<Suite> = {}): Suite => ({
  version: '1.2.3',
  digest: 'd'.repeat(64),
  outline: [],
  unspecified: new Map(),
  rules: new Map(rules.map((rule) => [rule.id, rule])),
  situations: new Map(),
  profiles: new Map(),
  requests: new Map([['ask', requestOf('ask', 'ledger-end')]]),
  actors: new Map(),
  tokens: new Map(),
  fixtures: new Map(),
  probes: new Map(),
  cases: [],
  ...given,
})
