/** Milliseconds; the last bar has no bound. */
const ends = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000] as const

export interface LatencyBar {
  /** `5 to 10 ms`. */
  label: string
  count: number
}

/** Milliseconds, with one empty bar on each side. */
export interface Latency {
  bars: LatencyBar[]
  median: number
  p95: number
  longest: number
  total: number
}

export function latencyOf(times: readonly number[]): Latency | undefined {
  if (times.length === 0) return undefined
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? 0
  const bars: LatencyBar[] = [...ends, Number.POSITIVE_INFINITY].map((end, index) => {
    const from = index === 0 ? Number.NEGATIVE_INFINITY : (ends[index - 1] ?? 0)
    return { label: labelOf(from, end), count: sorted.filter((time) => time > from && time <= end).length }
  })
  // An empty bar on each side shows the scale of a single bar.
  const first = Math.max(0, bars.findIndex(({ count }) => count > 0) - 1)
  const last = bars.findLastIndex(({ count }) => count > 0) + 1
  return {
    bars: bars.slice(first, last + 1),
    median: at(0.5),
    p95: at(0.95),
    longest: sorted.at(-1) ?? 0,
    total: sorted.length,
  }
}

function labelOf(from: number, end: number): string {
  if (from < 0) return `up to ${inUnit(end)}`
  return Number.isFinite(end) ? `${inUnit(from)} to ${inUnit(end)}` : `over ${inUnit(from)}`
}

const inUnit = (milliseconds: number): string =>
  milliseconds < 1000 ? `${milliseconds} ms` : `${milliseconds / 1000} s`
