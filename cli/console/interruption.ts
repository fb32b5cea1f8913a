/** After the first signal the run restores and reports; the second ends the process. */
import { printError } from '../../lib/print.js'
import type { EarlyEnd } from '../../runner/transport/early-end.js'
import { exitCode } from './exit-code.js'

const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Returns a function that removes the signal handlers. */
export function endBySignals(end: EarlyEnd): () => void {
  let isEnding = false
  const handlers = names.map((name) => {
    const handler = (): void => {
      if (isEnding) {
        printError(
          `\n${name} again: ended without restoring. The next run or conform clean restores what rows left changed.`,
        )
        process.exit(exitCode.incomplete)
      }
      isEnding = true
      printError(`\n${name}: stopping. Changes are restored and reports are written. A second signal ends immediately.`)
      end.decide({ cause: 'interrupted', by: name })
    }
    process.on(name, handler)
    return [name, handler] as const
  })
  return () => {
    for (const [name, handler] of handlers) process.removeListener(name, handler)
  }
}

/** Milliseconds: the maximum of a timer. A longer time limit has no effect. */
const longestTimer = 2 ** 31 - 1

/** Returns a function that removes the time limit. `start`: starts the timer. */
export function endAfter(minutes: number, end: EarlyEnd, start = setTimeout): () => void {
  const milliseconds = minutes * 60_000
  if (milliseconds > longestTimer) return () => undefined
  const timer = start(() => end.decide({ cause: 'time-over', minutes }), milliseconds)
  timer.unref()
  return () => clearTimeout(timer)
}
