import { Pool } from 'undici'
import type { ServerProcess } from './server-process.js'

export interface BenchRequest {
  path: string
  body: string
  /** Any other status is an error. */
  status: number
}

export async function send(
  url: string,
  requests: (index: number) => BenchRequest,
  { count, atOnce }: { count: number; atOnce: number },
): Promise<number> {
  const pool = new Pool(url, { connections: atOnce })
  let next = 0
  const work = async (): Promise<void> => {
    while (next < count) {
      const { path, body, status } = requests(next++)
      const answer = await pool.request({ method: 'POST', path, body })
      const text = await answer.body.text()
      if (answer.statusCode !== status) throw new Error(`${path} returned ${answer.statusCode}, not ${status}: ${text}`)
    }
  }
  const began = performance.now()
  await Promise.all(Array.from({ length: atOnce }, work))
  const seconds = (performance.now() - began) / 1000
  await pool.close()
  return count / seconds
}

export interface Rate {
  /** Answers per second. */
  rate: number
  /** Microseconds of processor time per answer. */
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
