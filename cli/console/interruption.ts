/** Signals by which people end a run: the first one lets it put things back and write what it has, the second one does not wait. */
import { printError } from '../../lib/print.js'
import type { EarlyEnd } from '../../runner/transport/early-end.js'
import { exitCode } from './exit-code.js'

const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Returns a function that gives the signals back. */
export function endBySignals(end: EarlyEnd): () => void {
  let isEnding = false
  const handlers = names.map((name) => {
    const handler = (): void => {
      if (isEnding) {
        printError(
          `\n${name} once more: ended at once. What rows have changed may be left changed; the next run will look.`,
        )
        process.exit(exitCode.incomplete)
      }
      isEnding = true
      printError(`\n${name}: no row is begun any more; what was changed is put back. Once more ends at once.`)
      end.decide({ cause: 'interrupted', sentence: `The run was ended by ${name}.` })
    }
    process.on(name, handler)
    return [name, handler] as const
  })
  return () => {
    for (const [name, handler] of handlers) process.removeListener(name, handler)
  }
}

/** Timers take no more milliseconds; a longer time ends nothing. */
const longestTimer = 2 ** 31 - 1

/** Ends the run after so many minutes. Returns a function that forgets it. */
export function endAfter(minutes: number, end: EarlyEnd): () => void {
  const sentence = `The run had taken the ${minutes} minutes that it may take (--max-time).`
  const milliseconds = minutes * 60_000
  if (milliseconds > longestTimer) return () => undefined
  const timer = setTimeout(() => end.decide({ cause: 'time-over', sentence }), milliseconds)
  timer.unref()
  return () => clearTimeout(timer)
}
