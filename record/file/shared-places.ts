/** The places in lines whose values occur again in other lines of a run. */
import type { RecordedBody } from '../../interface/recorded-parts.js'
import type {
  Evidence,
  Judgement,
  OraclesLine,
  PlanLine,
  RecordedFixture,
  RowLine,
  RunHeader,
} from '../types/record.js'
import type { OtherExpectations, ResolvedExpectation, ResolvedRow, ResolvedStep } from '../types/resolved-row.js'
import type { ValueKind } from '../types/shared-line.js'

/** Replaces values by their stored form, or does the reverse. Both have the type of the value. */
export interface PlaceVisitor {
  /** `inner` visits the places within a value. */
  value<T>(kind: ValueKind, value: T, inner?: (value: T) => T): T
  /** Shares all members except `own`, which are visited already. */
  rest<T extends object>(kind: ValueKind, value: T, own: readonly (keyof T)[]): T
  text(text: string): string
  body(body: RecordedBody): RecordedBody
  /** ISO 8601; stored as milliseconds since `start`. */
  time(time: string, start: string): string
  /** Removes members that equal those of the expectation, or adds them. */
  judgement(judgement: Judgement, row: ResolvedRow | undefined): Judgement
}

export const visitPlan = (line: PlanLine, visit: PlaceVisitor): PlanLine => ({
  ...line,
  row: visit.rest(
    'cases',
    {
      ...line.row,
      source: visit.value('sources', line.row.source),
      steps: line.row.steps.map((step) => visit.value('steps', step, (one) => visitStep(one, visit))),
    },
    ['id', 'row', 'title', 'source', 'values', 'steps'],
  ),
  ...(line.byText && { byText: visit.value('otherwise', line.byText, (one) => visitOtherwise(one, visit)) }),
})

/** A header precedes all shared lines, so a reference in it has no value. */
export function visitHeader(header: RunHeader, visit: PlaceVisitor): RunHeader {
  const { controls, declined, rights, variables } = header
  const fixture = (one: RecordedFixture): RecordedFixture => ({
    ...one,
    evidence: visitEvidence(one.evidence, header.startedAt, visit),
    ...(one.variables && { variables: mapMembers(one.variables, (text) => visit.text(text)) }),
  })
  return {
    ...header,
    ...(controls && { controls: controls.map(fixture) }),
    ...(declined && { declined: declined.map(fixture) }),
    ...(rights && {
      rights: rights.map((one) => ({ ...one, evidence: visitEvidence(one.evidence, header.startedAt, visit) })),
    }),
    ...(variables && { variables: mapMembers(variables, (text) => visit.text(text)) }),
  }
}

/** `start`: of the run. */
export function visitRow(line: RowLine, row: ResolvedRow | undefined, start: string, visit: PlaceVisitor): RowLine {
  return {
    ...line,
    judgements: line.judgements.map((judgement) => visit.judgement(judgement, row)),
    evidence: line.evidence.map((exchange) => visitEvidence(exchange, start, visit)),
    ...(line.variables && { variables: mapMembers(line.variables, (text) => visit.text(text)) }),
    startedAt: visit.time(line.startedAt, start),
  }
}

export const visitOracles = (line: OraclesLine, start: string, visit: PlaceVisitor): OraclesLine => ({
  ...line,
  reads: line.reads.map(({ operation, evidence }) => ({ operation, evidence: visitEvidence(evidence, start, visit) })),
})

/** The places within a value, by kind; other kinds contain none. */
export const innerPlaces = (visit: PlaceVisitor): Partial<Record<ValueKind, (value: never) => unknown>> => ({
  demands: (value: ResolvedExpectation) => visitDemand(value, visit),
  expectations: (value: ResolvedExpectation) => visitExpectation(value, visit),
  lists: (value: ResolvedExpectation[]) => visitList(value, visit),
  requests: (value: ResolvedStep['request']) => visitTemplate(value, visit),
  steps: (value: ResolvedStep) => visitStep(value, visit),
  otherwise: (value: OtherExpectations) => visitOtherwise(value, visit),
  headers: (value: Evidence['request']['headers']) => visitFields(value, visit),
  calls: (value: Evidence['request']) => visitCall(value, visit),
  findings: (value: Judgement) => visitFinding(value, visit),
  judgements: (value: Judgement) => visitJudgement(value, visit),
})

const visitStep = (step: ResolvedStep, visit: PlaceVisitor): ResolvedStep =>
  visit.rest(
    'actions',
    {
      ...step,
      request: visit.value('requests', step.request, (request) => visitTemplate(request, visit)),
      expectations: visitExpectations(step.expectations, visit),
      ...(step.race && { race: { ...step.race, others: visitExpectations(step.race.others, visit) } }),
      source: visit.value('sources', step.source),
    },
    ['request', 'expectations', 'race', 'source'],
  )

const visitTemplate = (request: ResolvedStep['request'], visit: PlaceVisitor): ResolvedStep['request'] =>
  visit.rest('templates', request, ['body'])

const visitOtherwise = (other: OtherExpectations, visit: PlaceVisitor): OtherExpectations =>
  mapMembers(other, ({ expectations, others }) => ({
    expectations: visitExpectations(expectations, visit),
    ...(others && { others: visitExpectations(others, visit) }),
  }))

const visitExpectations = (all: ResolvedExpectation[], visit: PlaceVisitor): ResolvedExpectation[] =>
  visit.value('lists', all, (list) => visitList(list, visit))

const visitList = (all: ResolvedExpectation[], visit: PlaceVisitor): ResolvedExpectation[] =>
  all.map((one) => visit.value('expectations', one, (value) => visitExpectation(value, visit)))

const visitExpectation = (expectation: ResolvedExpectation, visit: PlaceVisitor): ResolvedExpectation =>
  visit.rest('demands', { ...expectation, source: visit.value('sources', expectation.source) }, ['source'])

const visitDemand = (expectation: ResolvedExpectation, visit: PlaceVisitor): ResolvedExpectation => ({
  ...expectation,
  anyOf: visit.value('alternatives', expectation.anyOf),
})

function visitEvidence(evidence: Evidence, start: string, visit: PlaceVisitor): Evidence {
  const { request, response, generated, startedAt } = evidence
  return {
    ...evidence,
    request: visit.rest('calls', { ...request, ...(request.body && { body: visit.body(request.body) }) }, ['body']),
    ...(generated && { generated: generated.map((text) => visit.text(text)) }),
    ...(response && {
      response: {
        ...response,
        headers: visit.value('headers', response.headers, (all) => visitFields(all, visit)),
        body: visit.body(response.body),
      },
    }),
    startedAt: visit.time(startedAt, start),
  }
}

const visitCall = (request: Evidence['request'], visit: PlaceVisitor): Evidence['request'] => ({
  ...request,
  headers: visit.value('headers', request.headers, (all) => visitFields(all, visit)),
})

const visitFields = (all: Evidence['request']['headers'], visit: PlaceVisitor): Evidence['request']['headers'] =>
  all.map((field) => visit.value('fields', field))

export const visitJudgement = (judgement: Judgement, visit: PlaceVisitor): Judgement =>
  visit.rest('findings', judgement, ['step', 'role', 'attempt', 'expectation'])

const visitFinding = (judgement: Judgement, visit: PlaceVisitor): Judgement => ({
  ...judgement,
  ...(judgement.expected !== undefined && { expected: visit.text(judgement.expected) }),
  actual: visit.text(judgement.actual),
})

/** Assigns no member, because a name may be `__proto__`. */
const mapMembers = <T>(members: Record<string, T>, change: (value: T) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, change(value)]))
