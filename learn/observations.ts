/** The answers that a participant gave in the situations of a profile. */
import { isJsonObject } from '../lib/json/json.js'
import type { Evidence } from '../record/types/record.js'
import type { ResolvedExpectation, ResolvedRow, ResolvedStep } from '../record/types/resolved-row.js'
import { answerOf } from '../runner/judge/answer.js'
import { judgeExchange } from '../runner/judge/judge-exchange.js'
import { isSuccess } from '../runner/judge/sent-steps.js'
import type { Variables } from '../runner/template/variables.js'
import type { JudgedRun } from './judged-rows.js'

export interface ObservedAnswer {
  outcome: 'accepted' | 'refused'
  status: number
  mediaType?: string
  code?: string
  category?: number
  grpc?: number
  retry?: string
  /** Kinds, in the order of the answer. */
  resources?: string[]
}

export interface Observation {
  row: string
  situation: string
  isUnderTest: boolean
  /** The base profile expects this answer; of an accepted request, this outcome. */
  isExpected: boolean
  /** The base profile accepts the request, but expects another form of the answer. */
  hasOtherForm: boolean
  /** The text permits this answer. */
  isPermitted: boolean
  /** Rules of the text that the situation judges. */
  rules: string[]
  answer: ObservedAnswer
}

export function observationsOf({ rows }: JudgedRun): Observation[] {
  return rows.flatMap(({ observed, base, text }) =>
    observed.evidence.flatMap((one): Observation[] => {
      const expected = outcomeOf(base, one)
      const answer = observedAnswer(one)
      if (expected?.expectation.situation === undefined || !answer) return []
      const permitted = outcomeOf(text, one)
      const isMetByBase = isMet(expected, one, observed.variables)
      const isAccepted = answer.outcome === 'accepted' && mayBeAccepted(expected)
      return [
        {
          row: observed.id,
          situation: expected.expectation.situation,
          isUnderTest: one.role === 'act',
          isExpected: isMetByBase || isAccepted,
          hasOtherForm: isAccepted && !isMetByBase,
          isPermitted: permitted === undefined || isMet(permitted, one, observed.variables),
          rules: permitted?.expectation.rules ?? [],
          answer,
        },
      ]
    }),
  )
}

interface Outcome {
  step: ResolvedStep
  expectation: ResolvedExpectation
}

/** The most specific outcome: a read fact follows the text's outcome. */
function outcomeOf({ steps }: ResolvedRow, evidence: Evidence): Outcome | undefined {
  const step = steps[evidence.step]
  if (!step || (evidence.role !== 'act' && evidence.role !== 'arrange')) return undefined
  const own = step.race && !isSuccess(evidence) ? step.race.others : step.expectations
  const expectation = own.findLast(({ kind }) => kind === 'outcome')
  return expectation && { step, expectation }
}

const mayBeAccepted = ({ expectation }: Outcome): boolean =>
  expectation.anyOf.some(({ outcome }) => outcome === 'accepted')

function isMet({ step, expectation }: Outcome, evidence: Evidence, variables: Variables): boolean {
  const { race: _, mayLack: __, ...plain } = step
  return judgeExchange({ ...plain, expectations: [expectation] }, evidence, variables).every(({ met }) => met)
}

/** Undefined without a complete answer. */
function observedAnswer(evidence: Evidence): ObservedAnswer | undefined {
  const answer = answerOf(evidence)
  if (!answer) return undefined
  const { status, mediaType, json } = answer
  const outcome = isSuccess(evidence) ? 'accepted' : 'refused'
  const shared = { outcome, status, ...(mediaType !== undefined && { mediaType }) } as const
  if (outcome === 'accepted' || !isJsonObject(json)) return shared
  const { code, errorCategory: category, grpcCodeValue: grpc, retryInfo: retry, resources } = json
  const kinds = Array.isArray(resources) ? resources.map((one) => String(Array.isArray(one) ? one[0] : one)) : []
  return {
    ...shared,
    ...(typeof code === 'string' && { code }),
    ...(typeof category === 'number' && { category }),
    ...(typeof grpc === 'number' && { grpc }),
    ...(typeof retry === 'string' && { retry }),
    ...(kinds.length > 0 && { resources: kinds.map((kind) => kind.replace(/^ErrorResource\((.*)\)$/, '$1')) }),
  }
}
