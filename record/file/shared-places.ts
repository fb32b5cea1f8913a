/** The places in plan lines and row lines whose values occur again in other lines of a run. */
import type { RecordedBody } from '../../interface/recorded-parts.js'
import type { Evidence, PlanLine, RecordedFixture, RowLine, RunHeader } from '../types/record.js'
import type { OtherExpectations, ResolvedExpectation, ResolvedStep } from '../types/resolved-row.js'
import type { SharedKind } from '../types/shared-line.js'

/** Replaces values by references, or references by values; both have the type of the value. */
export interface PlaceVisitor {
  /** `inner` visits the places within a value. */
  value<T>(kind: SharedKind, value: T, inner?: (value: T) => T): T
  text(text: string): string
}

export const visitPlan = (line: PlanLine, visit: PlaceVisitor): PlanLine => ({
  ...line,
  row: {
    ...line.row,
    steps: line.row.steps.map((step) => visit.value('steps', step, (one) => visitStep(one, visit))),
  },
  ...(line.otherwise && {
    otherwise: mapMembers(line.otherwise, (other) =>
      visit.value('otherwise', other, (one) => visitOtherwise(one, visit)),
    ),
  }),
})

/** A header precedes all shared lines, so a reference in it has no value. */
export function visitHeader(header: RunHeader, visit: PlaceVisitor): RunHeader {
  const { controls, declined, rights, variables } = header
  const fixture = (one: RecordedFixture): RecordedFixture => ({
    ...one,
    evidence: visitEvidence(one.evidence, visit),
    ...(one.variables && { variables: mapMembers(one.variables, (text) => visit.text(text)) }),
  })
  return {
    ...header,
    ...(controls && { controls: controls.map(fixture) }),
    ...(declined && { declined: declined.map(fixture) }),
    ...(rights && { rights: rights.map((one) => ({ ...one, evidence: visitEvidence(one.evidence, visit) })) }),
    ...(variables && { variables: mapMembers(variables, (text) => visit.text(text)) }),
  }
}

export const visitRow = (line: RowLine, visit: PlaceVisitor): RowLine => ({
  ...line,
  judgements: line.judgements.map((judgement) => visit.value('judgements', judgement)),
  evidence: line.evidence.map((exchange) => visitEvidence(exchange, visit)),
  ...(line.variables && { variables: mapMembers(line.variables, (text) => visit.text(text)) }),
})

/** The places within a value, by kind; other kinds contain none. */
export const innerPlaces = (visit: PlaceVisitor): Partial<Record<SharedKind, (value: never) => unknown>> => ({
  expectations: (value: ResolvedExpectation) => visitExpectation(value, visit),
  steps: (value: ResolvedStep) => visitStep(value, visit),
  otherwise: (value: OtherExpectations) => visitOtherwise(value, visit),
  bodies: (value: RecordedBody) => visitBody(value, visit),
})

const visitStep = (step: ResolvedStep, visit: PlaceVisitor): ResolvedStep => ({
  ...step,
  request: visit.value('requests', step.request),
  expectations: visitExpectations(step.expectations, visit),
  ...(step.race && { race: { ...step.race, others: visitExpectations(step.race.others, visit) } }),
})

const visitOtherwise = (other: OtherExpectations, visit: PlaceVisitor): OtherExpectations =>
  mapMembers(other, ({ expectations, others }) => ({
    expectations: visitExpectations(expectations, visit),
    ...(others && { others: visitExpectations(others, visit) }),
  }))

const visitExpectations = (all: ResolvedExpectation[], visit: PlaceVisitor): ResolvedExpectation[] =>
  all.map((one) => visit.value('expectations', one, (value) => visitExpectation(value, visit)))

const visitExpectation = (expectation: ResolvedExpectation, visit: PlaceVisitor): ResolvedExpectation => ({
  ...expectation,
  anyOf: visit.value('alternatives', expectation.anyOf),
})

function visitEvidence(evidence: Evidence, visit: PlaceVisitor): Evidence {
  const { request, response } = evidence
  const headers = (all: Evidence['request']['headers']) => visit.value('headers', all)
  const body = (one: RecordedBody) => visit.value('bodies', one, (value) => visitBody(value, visit))
  return {
    ...evidence,
    request: { ...request, headers: headers(request.headers), ...(request.body && { body: body(request.body) }) },
    ...(response && { response: { ...response, headers: headers(response.headers), body: body(response.body) } }),
  }
}

const visitBody = (body: RecordedBody, visit: PlaceVisitor): RecordedBody =>
  body.text === undefined ? body : { ...body, text: visit.text(body.text) }

/** Assigns no member, because a name may be `__proto__`. */
const mapMembers = <T>(members: Record<string, T>, change: (value: T) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, change(value)]))
