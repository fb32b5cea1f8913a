/**
 * Whether an Accept header lets us answer with JSON. Weights are not looked at, and a header that is not understood
 * excludes nothing (as seen on 3.5.10).
 */
export function acceptsJson(header: string | undefined): boolean {
  if (header === undefined || header.trim() === '') return true
  const ranges = header.split(',').map((range) => (range.split(';')[0] ?? '').trim().toLowerCase())
  if (ranges.some((range) => !/^[\w!#$&^.+*-]+\/[\w!#$&^.+*-]+$/.test(range))) return true
  return ranges.some((range) => range === '*/*' || range === 'application/*' || range === 'application/json')
}
