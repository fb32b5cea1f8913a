/** One step of a request sequence, as data: it can be repeated, minimized, saved and written as a case. */
import type { Data, RequestTemplate, TokenTemplate } from '../../record/types/resolved-row.js'

/** Each side fills in its own variables, and captures new ones from its own answer. */
export interface Step {
  /** A short description for readers. */
  about: string
  operation: string
  /** The caller. `${user}` is the caller's id. */
  actor: string
  token?: TokenTemplate
  request: RequestTemplate
  /** JSON pointers by variable. */
  capture: Record<string, string>
  /** Milliseconds to wait before the step. */
  after?: number
  /** The step before its alteration. */
  original?: Step
  /** Restores state that earlier steps changed. Its answers are not compared. */
  restores?: true
}

/** The JSON body, if the step sends one. */
export const bodyOfStep = ({ request: { body } }: Pick<Step, 'request'>) =>
  body && 'json' in body ? body.json : undefined

/** The members of the JSON body, if it is an object. */
export function bodyMembers(step: Step): { readonly [name: string]: Data } {
  const body = bodyOfStep(step)
  return typeof body === 'object' && body !== null && !Array.isArray(body) ? body : {}
}
