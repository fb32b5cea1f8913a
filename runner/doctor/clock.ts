/** How far the clock of a target is from ours: tokens end by its clock, and are made by ours. */
import type { Evidence } from '../../record/types/record.js'
import { type Finding, good, warning } from './finding.js'

/** Milliseconds; a Date header has whole seconds, and the answer was under way for a while. */
const tolerance = 5000

/** Milliseconds by which the clock of the target is ahead, as its Date header tells; undefined where it has none. */
export function skewOf({ response, startedAt, milliseconds }: Evidence): number | undefined {
  const told = response?.headers.find(([name]) => name.toLowerCase() === 'date')?.[1]
  const there = told === undefined ? Number.NaN : Date.parse(told)
  // On average it was half a second later there than it tells.
  return Number.isNaN(there) ? undefined : there + 500 - (Date.parse(startedAt) + milliseconds / 2)
}

export function checkClock(skew: number | undefined): Finding {
  if (skew === undefined)
    return good('clock', 'clock-untold', 'the target does not tell the time (it sends no Date header)')
  const seconds = Math.round(skew / 1000)
  const facts = { seconds }
  if (Math.abs(skew) <= tolerance)
    return good('clock', 'clock', 'the clock of the target and the one of this machine agree', { facts })
  const what = `the clock of the target is ${formatDuration(Math.abs(seconds))} ${seconds > 0 ? 'ahead of' : 'behind'} the one of this machine`
  const advice = 'put the wrong one right: tokens end, and submissions are in time, by the clock of the target'
  return warning('clock', 'clock-differs', what, { advice, facts })
}

/** For people: `12 minutes`. */
export function formatDuration(seconds: number): string {
  const [amount, unit] =
    seconds < 120 ? [seconds, 'second'] : seconds < 7200 ? [seconds / 60, 'minute'] : [seconds / 3600, 'hour']
  const shown = amount < 1e6 ? Math.round(amount) : amount.toExponential(0)
  return `${shown} ${unit}${shown === 1 ? '' : 's'}`
}
