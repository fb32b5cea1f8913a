/** Whether the exchanges of a record belong to the target and to the times that its header and its statement name. */
import type { Evidence, RunRecord } from '../../record/types/record.js'
import { count } from '../../reports/wording/words.js'
import { altered, type BundleFinding, unproven } from '../finding.js'

/** Milliseconds by which a clock may be corrected during a run. */
const correction = 5_000
/** Milliseconds by which the clock of a target may differ from that of the run. */
const skew = 300_000

/** `issued`: when the statement was signed. */
export function checkOrigin(record: RunRecord, issued: string | undefined): BundleFinding[] {
  const { header, footer, rows } = record
  const before = [...(header.controls ?? []), ...(header.declined ?? []), ...(header.rights ?? [])]
  const exchanges = [...before, ...rows].flatMap((one) => one.evidence)
  return [
    ...checkUrls(header.target.url, exchanges),
    ...checkTimes(record, exchanges),
    ...(footer && issued !== undefined && !isBefore(footer.endedAt, issued)
      ? [altered(`the statement was issued at ${issued}, before the run ended at ${footer.endedAt}`)]
      : []),
    ...checkDates(exchanges),
    ...checkLateLooks(record),
  ]
}

/** A request that was never sent has a path at most. */
function checkUrls(target: string, exchanges: readonly Evidence[]): BundleFinding[] {
  const base = baseOf(target)
  const others = exchanges.filter(({ request: { url } }) => url.includes('://') && !url.startsWith(`${base}/`))
  const [first] = others
  if (!first) return []
  const went = `${count(others.length, 'exchange')} went elsewhere, the first to ${first.request.url}`
  return [altered(`the header names the target ${target}, and ${went}`)]
}

/** The URL of a target as exchanges name it. */
export function baseOf(target: string): string {
  if (!URL.canParse(target)) return target
  const { origin, pathname } = new URL(target)
  return origin + pathname.replace(/\/$/, '')
}

function checkTimes({ header, footer, rows }: RunRecord, exchanges: readonly Evidence[]): BundleFinding[] {
  // A resumed run keeps rows of the run before it.
  const from = header.resumes ? undefined : header.startedAt
  const times = [...exchanges, ...rows].map(({ startedAt }) => startedAt)
  const early = from === undefined ? [] : times.filter((time) => !isBefore(from, time))
  const late = footer ? times.filter((time) => !isBefore(time, footer.endedAt)) : []
  return [
    ...early
      .slice(0, 1)
      .map((time) => `the header says that the run began at ${from}, and a row or exchange began at ${time}`),
    ...late
      .slice(0, 1)
      .map(
        (time) => `the footer says that the run ended at ${footer?.endedAt}, and a row or exchange began at ${time}`,
      ),
  ].map(altered)
}

/** Also false where one of them is no time. */
const isBefore = (one: string, other: string): boolean => Date.parse(one) <= Date.parse(other) + correction

/** The clock of the target need not be right, but a difference of minutes is worth an explanation. */
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

/** Milliseconds by which two clocks of one machine may disagree. */
const imprecision = 100

/** Whether the ledger was read for late effects as late as the header states. */
function checkLateLooks({ header, rows }: RunRecord): BundleFinding[] {
  const wanted = header.timeLimits?.lateLook ?? 0
  const waited = rows.flatMap(({ evidence }) => {
    const look = evidence.find(({ role }) => role === 'late-look')
    const ends = evidence.filter(({ role }) => role !== 'late-look').map(endOf)
    return look ? [Date.parse(look.startedAt) - Math.max(...ends)] : []
  })
  const median = waited.toSorted((a, b) => a - b)[waited.length >> 1] ?? wanted
  return median < wanted - imprecision
    ? [
        altered(
          `the header says that the ledger was read for late effects ${wanted / 1000} s after each row, and it was read ${median / 1000} s after them (median)`,
        ),
      ]
    : []
}

const endOf = ({ startedAt, milliseconds }: Evidence): number => Date.parse(startedAt) + milliseconds
