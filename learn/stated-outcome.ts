/** The facts of a profile as in its file. */
import type { Shapes } from '../runner/suite/shapes.js'
import type { ResponsePattern, RowFact, SituationFact } from '../runner/suite/suite.js'

/** Common properties of rejections, by error code. */
export type Codes = Record<string, Shapes['common']>

/** Without a fact, such requests are rejected. */
export function statedOutcome(fact: SituationFact | undefined, common: Codes): Outcome {
  if (!fact) return { refused: true }
  const rows = [...(fact.byRow ?? [])].map(([row, own]) => [row, alternativesOf(own, common)] as const)
  return { ...alternativesOf(fact, common), ...(rows.length > 0 && { 'by-row': Object.fromEntries(rows) }) }
}

interface Outcome {
  'by-row'?: Record<string, object>
  [member: string]: unknown
}

/** As in a profile, without the common properties of a code. */
function alternativesOf({ alternatives, divergence }: RowFact, common: Codes): object {
  const refused = alternatives.filter(({ outcome }) => outcome === 'refused')
  const patterns = refused.map(({ name, outcome: _, ...pattern }) => ({
    ...(refused.length > 1 && { name }),
    ...patternOf(pattern, common),
  }))
  const [only, ...more] = patterns
  return {
    ...(alternatives.some(({ outcome }) => outcome === 'accepted') && { accepted: true }),
    ...(only && { refused: more.length > 0 ? patterns : Object.keys(only).length === 0 ? true : only }),
    ...(divergence !== undefined && { divergence }),
  }
}

function patternOf(pattern: ResponsePattern & { confidence?: string }, common: Codes): object {
  const { status, mediaType, code, confidence: _, ...rest } = pattern
  const known: object = (code === undefined ? undefined : common[code]) ?? {}
  const [only, ...more] = status ?? []
  const own = {
    code,
    status: more.length > 0 ? status : only?.endsWith('xx') ? only : Number(only),
    'media-type': code === undefined ? mediaType : undefined,
    ...kebabCased(rest),
  }
  return Object.fromEntries(
    Object.entries(own).filter(([name, value]) => value !== undefined && String(value) !== String(Object(known)[name])),
  )
}

const kebabCased = (pattern: object): object =>
  Object.fromEntries(
    Object.entries(pattern).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
      value,
    ]),
  )
