/** Commits and reads per second by requests in flight, observed on 3.5.10. */
const observed = [
  { inFlight: 1, commits: 2.7, reads: 150 },
  { inFlight: 8, commits: 10, reads: 300 },
  { inFlight: 16, commits: 12, reads: 450 },
  { inFlight: 32, commits: 14, reads: 450 },
] as const

/** Milliseconds of a single read. */
const observedLatency = 1000 / observed[0].reads

/** Seconds, rounded up. `requests` includes the transactions. `latency`: milliseconds of a read on the target, which scale the result. */
export function expectedSeconds(
  requests: number,
  transactions: number,
  concurrency: number,
  latency = observedLatency,
): number {
  const { commits, reads } = observed.findLast(({ inFlight }) => inFlight <= concurrency) ?? observed[0]
  const seconds = transactions / commits + Math.max(0, requests - transactions) / reads
  return Math.ceil(seconds * (latency / observedLatency))
}
