/** Stored forms of single values, and the reverse. */
import type { RecordedBody } from '../../interface/recorded-parts.js'
import { expectationsOf } from '../judgements/references.js'
import type { Judgement } from '../types/record.js'
import type { ResolvedExpectation, ResolvedRow } from '../types/resolved-row.js'

/** A whole body is stored as its text alone. */
export function storedBody(body: RecordedBody, store: (text: string) => string | number): unknown {
  const { text, bytes, ...others } = body
  if (text === undefined) return body
  const stored = store(text)
  return Object.keys(others).length === 0 && bytes === utf8Length(text) ? stored : { ...body, text: stored }
}

/** `bodyOf` returns the whole body with a text. */
export function wholeBody(stored: unknown, bodyOf: (text: string | number) => TextBody): RecordedBody {
  if (typeof stored === 'string' || typeof stored === 'number') return bodyOf(stored)
  const body = stored as RecordedBody // by the schema
  return body.text === undefined ? body : { ...body, text: bodyOf(body.text).text }
}

export interface TextBody extends RecordedBody {
  text: string
}

export const bodyWith = (text: string): TextBody => ({ text, bytes: utf8Length(text) })

const encoder = new TextEncoder()

/** Bytes in UTF-8. A surrogate without its other half has three, as U+FFFD. */
const utf8Length = (text: string): number => (/[\u0080-\uffff]/.test(text) ? encoder.encode(text).length : text.length)

/** Since `start`. A time of another form stays. */
export function milliseconds(time: string, start: string): string | number {
  const since = Date.parse(time) - Date.parse(start)
  return Number.isFinite(since) && timeAfter(since, start) === time ? since : time
}

/** Undefined: the sum is no date. */
export function timeAfter(stored: string | number, start: string): string | undefined {
  if (typeof stored === 'string') return stored
  const time = new Date(Date.parse(start) + stored)
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString()
}

/** A judgement without `rules` has these members of its expectation, unless it has its own. */
const repeated = ['rules', 'strength', 'confidence', 'situation', 'divergence'] as const

const expectationOf = (
  { step, expectation }: Judgement,
  row: ResolvedRow | undefined,
): ResolvedExpectation | undefined => {
  const found = row?.steps[step]
  return found && expectation !== undefined ? expectationsOf(found)[expectation] : undefined
}

/** Expected text is absent if it is the actual text. */
export function withoutExpected(judgement: Judgement, row: ResolvedRow | undefined): Judgement {
  const { expected, ...others } = judgement
  const stored = expected === judgement.actual ? (others as Judgement) : judgement // its stored form
  const expectation = expectationOf(judgement, row)
  if (!expectation || repeated.some((name) => name in expectation && !(name in judgement))) return stored
  const [own, its] = [judgement.rules, expectation.rules]
  if (own !== its && JSON.stringify(own) !== JSON.stringify(its)) return stored
  const isRepeated = (name: string): boolean =>
    repeated.some((one) => one === name && (one === 'rules' || judgement[one] === expectation[one]))
  return Object.fromEntries(Object.entries(stored).filter(([name]) => !isRepeated(name))) as object as Judgement // its stored form
}

/** Undefined without the expectation that the judgement refers to. */
export function withExpected(stored: Judgement, row: ResolvedRow | undefined): Judgement | undefined {
  const { expected = stored.actual } = stored
  if ('rules' in stored) return { ...stored, expected }
  const expectation = expectationOf(stored, row)
  if (!expectation) return undefined
  const { rules, strength, confidence, situation, divergence } = expectation
  return {
    rules,
    strength,
    confidence,
    ...(situation !== undefined && { situation }),
    ...(divergence !== undefined && { divergence }),
    ...(stored as object as Omit<Judgement, 'rules' | 'strength' | 'confidence'>), // its own members
    expected,
  }
}
