import type { Evidence, Period, RunRecord } from '../../record/types/record.js'
import { count } from '../../reports/wording/words.js'
import { baseOf } from '../../runner/derive/derive-run.js'
import { altered, type BundleFinding, unproven } from '../finding.js'

/** Permitted milliseconds of clock correction during a run. */
const correction = 5_000
/** Permitted milliseconds between the clocks of target and run. */
const skew = 300_000

/** `issued`: time of the signature. */
export function checkOrigin(record: RunRecord, issued: string | undefined): BundleFinding[] {
  const { header, footer, rows } = record
  const logged = [...(record.exchanges ?? []), ...(record.oracles?.reads ?? [])]
  const exchanges = [...logged, ...rows].flatMap((one) => one.evidence)
  return [
    ...checkUrls(header.target.url, exchanges),
    ...checkTimes(record, exchanges),
    ...(footer && issued !== undefined && !isBefore(footer.endedAt, issued)
      ? [altered(`the statement was issued at ${issued}, before the run ended at ${footer.endedAt}`)]
      : []),
    ...checkDates(exchanges),
    ...checkDelays(record),
  ]
}

/** Unsent requests have no URL with a host. */
function checkUrls(target: string, exchanges: readonly Evidence[]): BundleFinding[] {
  const base = baseOf(target)
  const others = exchanges.filter(({ request: { url } }) => url.includes('://') && !url.startsWith(`${base}/`))
  const [first] = others
  if (!first) return []
  const sent = `${count(others.length, 'exchange')} used other URLs, first ${first.request.url}`
  return [altered(`the header states the target ${target}, but ${sent}`)]
}

function checkTimes({ header, footer, rows }: RunRecord, exchanges: readonly Evidence[]): BundleFinding[] {
  // A resumed run keeps earlier rows.
  const from = header.resumes ? undefined : header.startedAt
  const periods: Period[] = [...exchanges, ...exchanges.flatMap(({ earlier = [] }) => earlier), ...rows]
  const early = from === undefined ? undefined : periods.find(({ startedAt }) => !isBefore(from, startedAt))
  const late = footer && periods.find((one) => !endsBefore(one, footer.endedAt))
  const isLong = footer && from !== undefined && !endsBefore({ ...footer, startedAt: from }, footer.endedAt)
  return [
    ...(early ? [`the run began at ${from}, but a row or exchange began earlier, at ${early.startedAt}`] : []),
    ...(late
      ? [
          `the run ended at ${footer.endedAt}, but a row or exchange ended later: ${late.milliseconds} ms after ${late.startedAt}`,
        ]
      : []),
    ...(isLong
      ? [`the run took ${footer.milliseconds} ms, but it began at ${from} and ended at ${footer.endedAt}`]
      : []),
  ].map(altered)
}

/** False for an invalid time. */
const endsBefore = (one: Period, time: string): boolean => endOf(one) <= Date.parse(time) + correction

/** False for an invalid time. */
const isBefore = (one: string, other: string): boolean => Date.parse(one) <= Date.parse(other) + correction

function checkDates(exchanges: readonly Evidence[]): BundleFinding[] {
  const differences = exchanges.flatMap(({ response, startedAt }) => {
    const [, date = ''] = response?.headers.find(([name]) => name.toLowerCase() === 'date') ?? []
    const difference = Date.parse(date) - Date.parse(startedAt)
    return Number.isNaN(difference) ? [] : [difference]
  })
  const median = differences.toSorted((a, b) => a - b)[differences.length >> 1] ?? 0
  return Math.abs(median) > skew
    ? [
        unproven(
          `the Date headers of the answers differ from the recorded times by ${Math.round(median / 1000)} s (median of ${count(differences.length, 'answer')})`,
        ),
      ]
    : []
}

/** Permitted milliseconds between two clocks of one machine. */
const imprecision = 100

function checkDelays({ header, rows }: RunRecord): BundleFinding[] {
  const wanted = header.timeLimits?.lateCheck ?? 0
  const waited = rows.flatMap(({ evidence }) => {
    const check = evidence.find(({ role }) => role === 'late-check')
    const ends = evidence.filter(({ role }) => role !== 'late-check').map(endOf)
    return check
      ? [Date.parse(check.startedAt) - ends.reduce((last, end) => Math.max(last, end), Number.NEGATIVE_INFINITY)]
      : []
  })
  const median = waited.toSorted((a, b) => a - b)[waited.length >> 1] ?? wanted
  return median < wanted - imprecision
    ? [
        altered(
          `the header states late-effects checks ${wanted / 1000} s after each row, but their median delay is ${median / 1000} s`,
        ),
      ]
    : []
}

const endOf = ({ startedAt, milliseconds }: Period): number => Date.parse(startedAt) + milliseconds
