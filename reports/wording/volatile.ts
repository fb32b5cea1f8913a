import type { RunHeader } from '../../record/types/record.js'

/** Texts that differ from run to run though nothing else does, each with the word that stands in for it. */
const patterns: readonly [pattern: RegExp, word: string][] = [
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?/g, '‹time›'],
  [/\b[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT/g, '‹time›'],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '‹uuid›'],
  [/::1220[0-9a-f]{64}/gi, '::‹fingerprint›'],
  // Contract ids, update ids and hashes, also where an excerpt ends in the middle of one.
  [/\b(?:[0-9a-f]{2}){16,}[0-9a-f]?(?:…|\b)/gi, '‹hex›'],
  // Blobs in base64: they hold ids and times.
  [/[A-Za-z0-9+/]{60,}={0,2}…?/g, '‹base64›'],
  [/\b[0-9a-f]{8}-[0r]\d{5}-[0-9a-f]{6}\b/g, '‹marker›'],
  [/(?<=\w-)[0-9a-f]{8}(?=::|-|\b)/g, '‹run›'],
  [/(?<=https?:\/\/[\w.[\]-]{1,100}:)\d+/g, '‹port›'],
  [/(?<="(?:offset|completionOffset|beginExclusive|endInclusive)":)\d+/g, '‹offset›'],
]

/**
 * The text with everything replaced that is new in each run: times, ids, hashes, fingerprints, markers, ports, offsets.
 * What is left is the same for two runs in which the same happened.
 */
export function withoutVolatile(text: string): string {
  return patterns.reduce((left, [pattern, word]) => left.replace(pattern, word), text)
}

/** Shorter values may be words that mean something else as well. */
const shortestValue = 8

/** As `withoutVolatile`, with the values of the run's own variables, parties and contracts, replaced by their names. */
export function normaliser({ variables = {} }: Pick<RunHeader, 'variables'>): (text: string) => string {
  const values = Object.entries(variables)
    .map(([name, json]) => ({ name, value: json.replace(/^"|"$/g, '') }))
    .filter(({ value }) => value.length >= shortestValue)
    // The longest first: one value may begin another one.
    .toSorted((a, b) => b.value.length - a.value.length)
  return (text) =>
    withoutVolatile(values.reduce((left, { name, value }) => left.replaceAll(value, () => `‹${name}›`), text))
}
