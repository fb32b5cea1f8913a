/** What a terminal shows while a run is under way. */
import { print, printError, statusLine } from '../lib/print.js'
import { visibleLine } from '../reports/hostile-text.js'
import type { RunObserver } from '../runner/run.js'
import { createProgress } from './progress.js'

export function runOnConsole(): { observer: RunObserver; clear(): void } {
  const progress = createProgress(statusLine)
  const tell = (sentence: string): void => {
    progress.clear()
    printError(visibleLine(sentence))
  }
  return {
    clear: progress.clear,
    observer: {
      planned: (summary) => {
        announce(summary)
        progress.planned(summary.ahead)
      },
      row: progress.row,
      outage: ({ from, to }) =>
        tell(
          to === undefined
            ? `the target has not answered since ${timeOf(from)}: the run waits for it`
            : `the target answers again since ${timeOf(to)}: the run goes on`,
        ),
      hazard: ({ row }) =>
        tell(
          `about to be sent: ${row.id}, which may stop a faulty participant${row.hazard === undefined ? '' : ` (${row.hazard})`}`,
        ),
      notice: (sentence) => tell(`! ${sentence}`),
    },
  }
}

const timeOf = (iso: string): string => `${iso.slice(11, 19)} UTC`

const announce: RunObserver['planned'] = ({ rows, left, foreseen: { requests, seconds, effects }, header }) => {
  const { target, profile } = header
  const where = target.embedded ? 'the embedded simulator' : visibleLine(target.url)
  print(`${rows} rows on ${where}, judged by ${profile.name}; ${left} do not apply to this target`)
  print(
    `${requests} requests, ${effects.transactions} committed transactions: about ${seconds} s; seed ${header.seed}\n`,
  )
}
