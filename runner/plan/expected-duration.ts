/**
 * How long a plan takes on a participant of the reference's kind. Seen on 3.5.10: 2.7 commits a second one at a time, 10 with
 * eight in flight, 14 with 32; 150 lookups a second one at a time, 450 with 16.
 */
const seen = [
  { inFlight: 1, commits: 2.7, reads: 150 },
  { inFlight: 8, commits: 10, reads: 300 },
  { inFlight: 16, commits: 12, reads: 450 },
  { inFlight: 32, commits: 14, reads: 450 },
] as const

/** Milliseconds of a question to that participant, nothing else in flight. */
const seenLatency = 1000 / seen[0].reads

/**
 * Seconds, rounded up. `requests` counts those that commit too. `latency`: milliseconds that a question to the target took; a
 * target that is slower than the one that was seen, or farther away, is expected to be so in everything.
 */
export function expectedSeconds(
  requests: number,
  transactions: number,
  concurrency: number,
  latency = seenLatency,
): number {
  const { commits, reads } = seen.findLast(({ inFlight }) => inFlight <= concurrency) ?? seen[0]
  const asSeen = transactions / commits + Math.max(0, requests - transactions) / reads
  return Math.ceil(asSeen * (latency / seenLatency))
}
