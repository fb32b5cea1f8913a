/** Values that differ in every run. */
const patterns: readonly [pattern: RegExp, word: string][] = [
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?/g, '‹time›'],
  [/\b[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT/g, '‹time›'],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '‹uuid›'],
  [/::1220[0-9a-f]{64}/gi, '::‹fingerprint›'],
  // Contract ids, update ids and hashes, complete or cut by an excerpt.
  [/\b(?:[0-9a-f]{2}){16,}[0-9a-f]?(?:…|\b)/gi, '‹hex›'],
  // Blobs in base64 contain ids and times.
  [/[A-Za-z0-9+/]{60,}={0,2}…?/g, '‹base64›'],
  [/\b[0-9a-f]{8}-[0r]\d{5}-[0-9a-f]{6}\b/g, '‹marker›'],
  [/(?<=\w-)[0-9a-f]{8}(?=::|-|\b)/g, '‹run›'],
  [/(?<=https?:\/\/[\w.[\]-]{1,100}:)\d+/g, '‹port›'],
  [/(?<="(?:offset|completionOffset|beginExclusive|endInclusive)":)\d+/g, '‹offset›'],
]

export function withoutVolatile(text: string): string {
  return patterns.reduce((left, [pattern, word]) => left.replace(pattern, word), text)
}
