/**
 * What two participants are asked alike. A conversation is data in the suite's own words - templates with `${variables}`, captures
 * by JSON pointer -, so that it can be played again, shrunk, and told as a case, whatever made it.
 */
import type { RequestTemplate, TokenTemplate } from '../../record/types/resolved-row.js'

/** One request. Each side fills in its own ids for the variables, and takes new ones from its own answer. */
export interface Turn {
  /** What it is, in a few words for readers. */
  about: string
  operation: string
  /** Who calls; `${user}` is this one's id. */
  actor: string
  token?: TokenTemplate
  request: RequestTemplate
  capture: Record<string, string>
  /** Milliseconds to wait before it is sent. */
  after?: number
  /** As it was thought of before something was done to it. */
  calm?: Turn
  /** Puts back what earlier turns changed for everybody: it is sent, and its answers are not compared. */
  restores?: true
}

export interface Conversation {
  /** By which it is drawn again: the seed of the exploration, and its number. */
  seed: string
  turns: Turn[]
}

/** The value that a turn sends as its JSON body, if that is what it sends. */
export const bodyOfTurn = ({ request: { body } }: Turn) => (body && 'json' in body ? body.json : undefined)
