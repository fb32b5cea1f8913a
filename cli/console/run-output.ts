/** What a run prints before its reports: a bar on a terminal, otherwise a line every few seconds, for CI logs. */
import { print, printError, statusLine } from '../../lib/print.js'
import type { RunRow } from '../../record/types/record.js'
import { findingText } from '../../reports/wording/finding-text.js'
import { cut, visibleLine } from '../../reports/wording/hostile-text.js'
import { count } from '../../reports/wording/words.js'
import type { SentRow } from '../../runner/changes/row-changes.js'
import type { ProfileChoice } from '../../runner/doctor/profile-choice.js'
import type { RowsAhead, RunObserver } from '../../runner/run/run.js'
import type { Settings } from '../../runner/target/read-settings.js'

/** Milliseconds between two lines if the output is not a terminal. */
const pause = 5000
/** Rows before the first estimate: the first rows are slower. */
const warmUp = 20
const width = 24

/** @internal */
export function createProgress(output: typeof statusLine): {
  planned(ahead: RowsAhead): void
  sent(row: SentRow): void
  row(row: RunRow): void
  clear(): void
} {
  let ahead: ReadonlySet<string> = new Set()
  /** Rows that are not sent yet. */
  let together = new Set<string>()
  let alone = new Set<string>()
  let done = 0
  let notPassed = 0
  let sent = 0
  /** Milliseconds of the exchanges of these rows. */
  let exchanged = 0
  let firstSentAt: number | undefined
  let printedAt = performance.now()
  // In a random order, the rows that are left take as long as those that were sent. Rows that run alone do not overlap.
  const secondsLeft = (): number | undefined => {
    if (sent < warmUp || firstSentAt === undefined) return undefined
    const elapsed = performance.now() - firstSentAt
    return (together.size * elapsed + alone.size * exchanged) / sent / 1000
  }
  const describe = (): string => {
    const seconds = secondsLeft()
    const failures = notPassed > 0 ? `, ${notPassed} not passed` : ''
    const estimate = seconds === undefined ? '' : `, about ${Math.ceil(seconds)} s left`
    return `${done} of ${ahead.size}${failures}${estimate}`
  }
  return {
    planned: (rows) => {
      together = new Set(rows.rows.map(({ id }) => id))
      alone = new Set(rows.alone.map(({ id }) => id))
      done = 0
      ahead = new Set([...together, ...alone])
    },
    sent: ({ id, evidence }) => {
      const isOpen = together.delete(id) || alone.delete(id)
      if (!isOpen || evidence.length === 0) return
      firstSentAt ??= performance.now()
      sent += 1
      exchanged += evidence.reduce((sum, { milliseconds }) => sum + milliseconds, 0)
    },
    row: (row) => {
      // Rows of the plan that do not run are recorded at the start.
      if (!ahead.has(row.id)) return
      done += 1
      if (!passing.has(row.verdict)) notPassed += 1
      const text = describe()
      if (output.isTTY) {
        const filled = Math.round((done / ahead.size) * width)
        output.overwrite(`[${'#'.repeat(filled)}${'.'.repeat(width - filled)}] ${text}`)
      } else if (performance.now() - printedAt >= pause) {
        printedAt = performance.now()
        output.log(text)
      }
    },
    clear: () => {
      if (output.isTTY) output.overwrite('')
    },
  }
}

const passing: ReadonlySet<RunRow['verdict']> = new Set(['pass', 'not-applicable', 'excused', 'follows-the-text'])

const longestVersion = 100

/** `canton-3.6 (the target has version 3.6.0)`: the profile, and who named it. */
export function profileText({ profile, by, version, fitting }: ProfileChoice): string {
  if (by === undefined) return profile.name
  if (by !== 'version') return `${profile.name} (${visibleLine(by.setting)})`
  if (version === undefined) return `${profile.name} (the version of the target is unknown)`
  const shown = visibleLine(cut(version, longestVersion))
  return `${profile.name} (${fitting ? `the target has version ${shown}` : `no profile covers version ${shown}`})`
}

/** They remove rows from a run. */
const limiting: readonly string[] = [
  'operations',
  'only',
  'not',
  'impact',
  'failed-of',
  'shard',
  'unreachable',
  'allow',
]

/** `Settings that limit the rows: operations (conform.yaml:3), only (--only)`; undefined without such a setting. */
export function limitingSettings({ sources }: Settings): string | undefined {
  const given = limiting.flatMap((name) => {
    const source = sources.get(name)
    return source === undefined ? [] : [`${name} (${source})`]
  })
  return given.length === 0 ? undefined : visibleLine(`Settings that limit the rows: ${given.join(', ')}`)
}

export function consoleOutput(): { observer: RunObserver; clear(): void } {
  const progress = createProgress(statusLine)
  let seed = ''
  const printLine = (sentence: string): void => {
    progress.clear()
    printError(visibleLine(sentence))
  }
  return {
    clear: progress.clear,
    observer: {
      planned: (summary) => {
        announce(summary)
        seed = summary.header.seed
        progress.planned(summary.ahead)
      },
      estimated: (estimate) => print(estimateText(estimate, seed)),
      sent: progress.sent,
      row: progress.row,
      outage: ({ from, to }) =>
        printLine(
          to === undefined
            ? `the target has not answered since ${timeOf(from)}; the run is waiting`
            : `the target answers again since ${timeOf(to)}; the run continues`,
        ),
      hazard: ({ row }) =>
        printLine(
          `sending ${row.id}, which may stop a faulty participant${row.hazard === undefined ? '' : ` (${row.hazard})`}`,
        ),
      notice: (sentence) => printLine(`! ${sentence}`),
      warning: (finding) => printLine(`! ${findingText(finding)}`),
    },
  }
}

const timeOf = (iso: string): string => `${iso.slice(11, 19)} UTC`

const announce: RunObserver['planned'] = ({ rows, header: { target }, choice }) => {
  const where = target.embedded ? 'the embedded simulator' : visibleLine(target.url)
  print(`${count(rows, 'row')} on ${where}, judged by profile ${profileText(choice)}`)
}

type Estimate = Parameters<RunObserver['estimated'] & object>[0]

const estimateText = ({ requests, transactions, duration: { seconds } }: Estimate, seed: string): string =>
  `${count(requests, 'request')}, ${count(transactions, 'committed transaction')}, about ${seconds} s; seed ${seed}\n`
