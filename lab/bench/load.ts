import { Pool } from 'undici'
import type { ServerProcess } from './server-process.js'

export interface BenchRequest {
  path: string
  body: string
  /** Any other status is an error. */
  status: number
}

export interface Load {
  count: number
  atOnce: number
  next(): BenchRequest
}

export interface Rate {
  /** Answers per second. */
  rate: number
  /** Microseconds of processor time per answer. */
  processor: number
}

/** Rejects for an unexpected status. */
export async function rateOf(server: ServerProcess, { next, count, atOnce }: Load): Promise<Rate> {
  const pool = new Pool(server.url, { connections: atOnce })
  let sent = 0
  const work = async (): Promise<void> => {
    while (sent < count) {
      sent += 1
      const { path, body, status } = next()
      const answer = await pool.request({ method: 'POST', path, body })
      const text = await answer.body.text()
      if (answer.statusCode !== status) throw new Error(`${path} returned ${answer.statusCode}, not ${status}: ${text}`)
    }
  }
  const before = server.processorTime()
  const began = performance.now()
  await Promise.all(Array.from({ length: atOnce }, work))
  const seconds = (performance.now() - began) / 1000
  await pool.close()
  return { rate: count / seconds, processor: ((server.processorTime() - before) * 1000) / count }
}

export const median = (figures: readonly number[]): number =>
  figures.toSorted((a, b) => a - b)[figures.length >> 1] ?? Number.NaN
