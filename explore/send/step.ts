/** A step as data can be repeated, minimized, saved and written as a case. */

import type { Data, RequestTemplate, TokenTemplate } from '../../record/types/resolved-row.js'

export interface Step {
  about: string
  operation: string
  /** `${user}` is the caller's id. */
  actor: string
  token?: TokenTemplate
  request: RequestTemplate
  /** JSON pointers by variable. */
  capture: Record<string, string>
  /** Milliseconds to wait before the step. */
  after?: number
  original?: Step
  /** Its answers are not compared. */
  restores?: true
}

export const bodyOfStep = ({ request: { body } }: Pick<Step, 'request'>) =>
  body && 'json' in body ? body.json : undefined

export function bodyMembers(step: Step): { readonly [name: string]: Data } {
  const body = bodyOfStep(step)
  return typeof body === 'object' && body !== null && !Array.isArray(body) ? body : {}
}
