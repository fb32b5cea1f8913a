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

/** Seconds, rounded up. `requests` counts those that commit too. */
export function expectedSeconds(requests: number, transactions: number, concurrency: number): number {
  const { commits, reads } = seen.findLast(({ inFlight }) => inFlight <= concurrency) ?? seen[0]
  return Math.ceil(transactions / commits + Math.max(0, requests - transactions) / reads)
}
