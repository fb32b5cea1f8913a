/** Names of steps instead of indices. */
import { type JsonValue, printJson } from '../../../lib/json/json.js'
import type { Evidence } from '../../../record/types/record.js'
import type { ResolvedRow, Role } from '../../../record/types/resolved-row.js'

export interface NamedEvidence extends Omit<Evidence, 'step' | 'role'> {
  /** Of the step. */
  step: string
  /** Default: of the step. */
  role?: Role
}

interface AnswerText extends Partial<Pick<NamedEvidence, 'step' | 'role'>> {
  status?: number
  headers?: [string, string][]
  /** Replaces the JSON value. */
  text?: string
  cut?: true
}

export function answered(json: JsonValue, given: AnswerText = {}): NamedEvidence {
  const { step = 'ask', role, status = 200, headers = [['Content-Type', 'application/json']] } = given
  const text = given.text ?? printJson(json)
  const body = { text, bytes: Buffer.byteLength(text), ...(given.cut && { cut: given.cut }) }
  const { problem: _, ...exchange } = unanswered('timeout', { step, ...(role && { role }) })
  return { ...exchange, response: { status, headers, body } }
}

export const unanswered = (
  code: NonNullable<Evidence['problem']>['code'],
  { step = 'ask', role }: Partial<Pick<NamedEvidence, 'step' | 'role'>> = {},
): NamedEvidence => ({
  step,
  ...(role && { role }),
  request: { method: 'POST', url: 'http://127.0.0.1:7575/v2', headers: [] },
  problem: { code, message: `it ended by ${code}` },
  startedAt: '2026-11-21T12:00:00.000Z',
  milliseconds: 1,
})

/** Replaces names by index and role, and counts concurrent requests. */
export function filed({ steps }: ResolvedRow, evidence: readonly NamedEvidence[]): Evidence[] {
  const seen = new Map<number, number>()
  return evidence.map(({ step: name, role, ...exchange }) => {
    const index = steps.findIndex((step) => step.name === name)
    const step = steps[index]
    const attempt = (seen.get(index) ?? 0) + 1
    seen.set(index, attempt)
    return { ...exchange, step: index, role: role ?? step?.role ?? 'act', ...(step?.race && { attempt }) }
  })
}
