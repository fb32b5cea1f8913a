/** The complete read after all rows. It includes a transaction that the run commits after the last row. */
import type { Evidence, RecordedRead } from '../../record/types/record.js'
import { TargetError } from '../target/target.js'
import type { EarlyEnd } from '../transport/early-end.js'
import { type Reader, readActiveContracts, readLedgerEnd, updatePages } from './update-pages.js'

export interface LastReadOptions {
  readers: readonly Reader[]
  /** Offset before the run created parties. */
  begin: number
  /** Commits a known transaction. Undefined if no control can be repeated. */
  repeatControl(): Promise<RecordedRead | undefined>
  /** Milliseconds between the last row and the read, for late effects. */
  after: number
  end: EarlyEnd
}

/** A participant may be overloaded by the last rows. */
const attempts = 3
/** Milliseconds. */
const pause = 400

/** Ends with the first failed read, which is the last of the list. */
export async function readLast(options: LastReadOptions): Promise<RecordedRead[]> {
  const { readers, begin, after, end } = options
  const reads: RecordedRead[] = []
  const control = await options.repeatControl()
  if (control) reads.push(control)
  await end.pause(after)
  const attempt = async <T>(operation: string, task: (received: (one: Evidence) => void) => Promise<T>): Promise<T> => {
    for (let left = attempts - 1; ; left -= 1) {
      const seen: Evidence[] = []
      try {
        const result = await task((one) => seen.push(one))
        reads.push(...seen.map((evidence) => ({ operation, evidence })))
        return result
      } catch (error) {
        if (!(error instanceof TargetError) || end.decided || left === 0) {
          reads.push(...seen.map((evidence) => ({ operation, evidence })))
          throw error
        }
        await end.pause(pause)
      }
    }
  }
  try {
    const last = await attempt('ledger-end', (received) => readLedgerEnd(readers[0]?.call, received))
    for (const reader of readers) {
      await attempt('updates', async (received) => {
        for await (const _ of updatePages(reader, { begin, end: last }, received));
      })
    }
    for (const reader of readers)
      await attempt('active-contracts', (received) => readActiveContracts(reader, last, received))
  } catch (error) {
    if (!(error instanceof TargetError)) throw error
  }
  return reads
}
