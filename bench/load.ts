/** Sends concurrent requests over persistent connections. */
import { Pool } from 'undici'

export interface BenchRequest {
  path: string
  body: string
  /** Any other status is an error. */
  status: number
}

/** Returns the answers per second. */
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
