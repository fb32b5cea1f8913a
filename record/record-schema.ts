import { verdicts } from './verdict.js'

// The shape of record.ts once more, for lines that come from a file: reports may then rely on it. Members that are
// not named here are let through, so that an older reader can read what a newer writer added.

const text = { type: 'string' }
/** Bounded, so that adding one to an instant stays an instant. */
const duration = { type: 'number', minimum: -1e12, maximum: 1e12 }
const count = { type: 'integer', minimum: 0 }
const flag = { type: 'boolean' }
const strength = { enum: ['must', 'should', 'may', 'client'] }
const listOf = (items: object) => ({ type: 'array', items })

/** An object whose members are all required, except those whose name ends in `?`. */
function shape(members: Record<string, object>): object {
  const names = Object.keys(members)
  const properties = Object.fromEntries(names.map((name) => [name.replace('?', ''), members[name]]))
  return { type: 'object', properties, required: names.filter((name) => !name.endsWith('?')) }
}

const body = shape({ 'text?': text, 'base64?': text, bytes: count, 'cut?': { const: true } })
const headers = listOf({ type: 'array', items: [text, text], minItems: 2, additionalItems: false })

const evidence = shape({
  step: text,
  purpose: { enum: ['test', 'probe'] },
  request: shape({ method: text, url: text, headers, 'body?': body }),
  'response?': shape({ status: { type: 'integer' }, headers, body }),
  'problem?': shape({
    code: { enum: ['timeout', 'refused', 'reset', 'malformed', 'set-up', 'not-sent'] },
    message: text,
  }),
  startedAt: text,
  milliseconds: duration,
})

const judgement = shape({
  step: text,
  rules: listOf(text),
  strength,
  subject: text,
  'pointer?': text,
  expected: text,
  actual: text,
  met: flag,
  'condition?': text,
  'divergence?': text,
})

export const headerSchema = shape({
  type: { const: 'header' },
  format: { const: 1 },
  run: text,
  tool: shape({ name: text, version: text }),
  suite: shape({ version: text, digest: text }),
  profile: shape({ name: text, title: text }),
  target: shape({
    url: text,
    'version?': text,
    'protocolVersion?': count,
    authorization: { enum: ['none', 'hs256'] },
    embedded: flag,
  }),
  capabilities: { type: 'object', additionalProperties: flag },
  seed: text,
  concurrency: count,
  startedAt: text,
  planned: count,
  rules: listOf(shape({ id: text, statement: text, strength, section: text })),
  divergences: listOf(shape({ id: text, rule: text, statement: text, source: text })),
})

export const rowSchema = shape({
  type: { const: 'row' },
  id: text,
  case: text,
  row: text,
  title: text,
  operation: text,
  rules: listOf(text),
  impact: { enum: ['read', 'write', 'topology', 'hazard'] },
  source: shape({ file: text, line: count }),
  verdict: { enum: verdicts },
  'reason?': text,
  judgements: listOf(judgement),
  evidence: listOf(evidence),
  startedAt: text,
  milliseconds: duration,
})

export const footerSchema = shape({
  type: { const: 'footer' },
  endedAt: text,
  milliseconds: duration,
  executed: count,
  counts: shape(Object.fromEntries(verdicts.map((verdict) => [verdict, count]))),
  complete: flag,
  conforming: flag,
  digest: text,
})
