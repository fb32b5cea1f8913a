import type { Evidence, Judgement, RunRow } from '../../record/types/record.js'
import type { ResolvedExpectation, ResolvedStep } from '../../record/types/resolved-row.js'

/**
 * Reduces passing rows to what verdicts of rules and operations need. Rows share most steps and judgements, so equal
 * ones become one object.
 */
export class PassedRows {
  readonly #known = new Map<string, object>()

  reduce({ variables: _, byText: __, ...row }: RunRow): RunRow {
    const { evidence, judgements, resolved } = row
    return {
      ...row,
      evidence: evidence.map(withoutContent),
      judgements: judgements.map((judgement) => this.#shared(withoutValues(judgement))),
      resolved: { ...resolved, values: {}, steps: resolved.steps.map((step) => this.#shared(withoutRequest(step))) },
    }
  }

  #shared<Part extends object>(part: Part): Part {
    const text = JSON.stringify(part)
    const known = this.#known.get(text) ?? part
    this.#known.set(text, known)
    return known as Part // equal JSON
  }
}

const withoutContent = ({ step, role, response, startedAt, milliseconds }: Evidence): Evidence => ({
  step,
  role,
  request: { method: '', url: '', headers: [] },
  ...(response && { response: { status: response.status, headers: [], body: { bytes: 0 } } }),
  startedAt,
  milliseconds,
})

const withoutValues = ({ pointer: _, ...judgement }: Judgement): Judgement => ({ ...judgement, wanted: [], found: [] })

function withoutRequest({ changes: _, token: __, race, ...step }: ResolvedStep): ResolvedStep {
  return {
    ...step,
    request: { method: '', path: '', headers: {} },
    capture: {},
    ...(race && { race: { ...race, others: race.others.map(withoutChecks) } }),
    expectations: step.expectations.map(withoutChecks),
    source: noSource,
  }
}

const noSource = { file: '', line: 0 }

const withoutChecks = ({ kind, rules, strength, confidence, anyOf }: ResolvedExpectation): ResolvedExpectation => ({
  kind,
  rules,
  strength,
  confidence,
  anyOf: anyOf.map(({ outcome }) => ({ ...(outcome && { outcome }), checks: [] })),
  source: noSource,
})
