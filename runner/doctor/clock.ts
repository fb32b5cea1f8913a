import type { Evidence } from '../../record/types/record.js'
import { type Finding, good, warning } from './finding.js'

/** Milliseconds: a Date header has whole seconds. */
const tolerance = 5000

/** Milliseconds by which the target is ahead. */
export function skewOf({ response, startedAt, milliseconds }: Evidence): number | undefined {
  const header = response?.headers.find(([name]) => name.toLowerCase() === 'date')?.[1]
  const remote = header === undefined ? Number.NaN : Date.parse(header)
  // The header is half a second behind on average.
  return Number.isNaN(remote) ? undefined : remote + 500 - (Date.parse(startedAt) + milliseconds / 2)
}

export function checkClock(skew: number | undefined): Finding {
  if (skew === undefined)
    return good('clock', 'clock-untold', 'the target sends no Date header, so its clock is unknown')
  const seconds = Math.round(skew / 1000)
  const facts = { seconds }
  if (Math.abs(skew) <= tolerance)
    return good('clock', 'clock', 'the clocks of the target and of this machine agree', { facts })
  const what = `the clock of the target is ${formatDuration(Math.abs(seconds))} ${seconds > 0 ? 'ahead of' : 'behind'} the local clock`
  const advice = 'Correct the wrong clock: the target checks token expiry and submission times by its own clock.'
  return warning('clock', 'clock-differs', what, { advice, facts })
}

export function formatDuration(seconds: number): string {
  const [amount, unit] =
    seconds < 120 ? [seconds, 'second'] : seconds < 7200 ? [seconds / 60, 'minute'] : [seconds / 3600, 'hour']
  const shown = amount < 1e6 ? Math.round(amount) : amount.toExponential(0)
  return `${shown} ${unit}${shown === 1 ? '' : 's'}`
}
