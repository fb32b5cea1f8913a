/** Request rate and processor time of a server. */
import { type BenchRequest, send } from './load.js'
import type { ServerProcess } from './server-process.js'

export interface Rate {
  /** Answers per second. */
  rate: number
  /** Microseconds of processor time for each answer. */
  processor: number
}

interface Load {
  count: number
  atOnce: number
  next(): BenchRequest
}

export async function rateOf(server: ServerProcess, { next, count, atOnce }: Load): Promise<Rate> {
  const before = server.processorTime()
  const rate = await send(server.url, next, { count, atOnce })
  return { rate, processor: ((server.processorTime() - before) * 1000) / count }
}

export const median = (figures: readonly number[]): number =>
  figures.toSorted((a, b) => a - b)[figures.length >> 1] ?? Number.NaN
