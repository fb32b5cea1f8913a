/** The complete read after all rows. It includes a transaction that the run commits after the last row. */
import type { Evidence, RecordedRead } from '../../record/types/record.js'
import { TargetError } from '../target/target.js'
import type { EarlyEnd } from '../transport/early-end.js'
import type { ExchangeLog } from '../transport/exchange-log.js'
import {
  activeContractPages,
  completionPages,
  EndlessPages,
  type Reader,
  readLedgerEnd,
  updatePages,
  usualPageLength,
} from './update-pages.js'

export interface LastReadOptions {
  readers: readonly Reader[]
  /** Those whose completions are read, too. */
  completionReaders: readonly Reader[]
  /** Offset before the run created parties. */
  begin: number
  /** Commits a known transaction. Undefined if no control can be repeated. */
  repeatControl(): Promise<RecordedRead | undefined>
  log: ExchangeLog
  /** Milliseconds between the last row and the read, for late effects. */
  after: number
  end: EarlyEnd
}

/**
 * Of each attempt. A participant may be overloaded by the last rows. A page of transactions with many events has more values
 * than the program reads: then every row of a whole run was blocked.
 */
const pageLengths = [usualPageLength, 30, 3]
/** Milliseconds. */
const pause = 400

type Attempt<T> = (received: (one: Evidence) => void, pageLength: number) => Promise<T>

/** Ends with the first failed read, which is the last of the list. */
export async function readLast(options: LastReadOptions): Promise<RecordedRead[]> {
  const { readers, completionReaders, begin, after, end } = options
  const reads: RecordedRead[] = []
  const control = await options.repeatControl()
  if (control) reads.push(control)
  await end.pause(after)
  const attempt = async <T>(operation: string, task: Attempt<T>): Promise<T> => {
    options.log.begin(operation)
    for (let left = pageLengths.length - 1; ; left -= 1) {
      const seen: Evidence[] = []
      try {
        const result = await task((one) => seen.push(one), pageLengths.at(-1 - left) ?? usualPageLength)
        reads.push(...seen.map((evidence) => ({ operation, evidence })))
        return result
      } catch (error) {
        if (!(error instanceof TargetError) || error instanceof EndlessPages || end.decided || left === 0) {
          reads.push(...seen.map((evidence) => ({ operation, evidence })))
          throw error
        }
        await end.pause(pause)
      }
    }
  }
  const untilEnd = async (pages: AsyncGenerator<unknown>): Promise<void> => {
    for await (const _ of pages) if (end.decided) throw new TargetError('the run was ended during a read')
  }
  try {
    const last = await attempt('ledger-end', (received) => readLedgerEnd(readers[0]?.call, received))
    for (const reader of readers) {
      await attempt('updates', (received, pageLength) =>
        untilEnd(updatePages(reader, { begin, end: last, pageLength }, received)),
      )
    }
    for (const reader of readers)
      await attempt('active-contracts', (received, pageLength) =>
        untilEnd(activeContractPages(reader, { activeAtOffset: last, pageLength }, received)),
      )
    // Last, because a failed read ends the reads, and no other finding depends on these.
    for (const reader of completionReaders)
      await attempt('completions', (received, pageLength) =>
        untilEnd(completionPages(reader, { begin, pageLength }, received)),
      )
  } catch (error) {
    if (!(error instanceof TargetError)) throw error
  }
  options.log.begin(undefined)
  return reads
}
