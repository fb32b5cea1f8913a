/**
 * Whether an Accept header lets us answer with one of these types of applications. Weights are not looked at, and a header that is not understood
 * excludes nothing (as seen on 3.5.10).
 */
export function accepts(header: string | undefined, types: readonly string[]): boolean {
  if (header === undefined || header.trim() === '') return true
  const ranges = header.split(',').map((range) => (range.split(';')[0] ?? '').trim().toLowerCase())
  if (ranges.some((range) => !/^[\w!#$&^.+*-]+\/[\w!#$&^.+*-]+$/.test(range))) return true
  const fitting = ['*/*', 'application/*', ...types.map((type) => `application/${type}`)]
  return ranges.some((range) => fitting.includes(range))
}
