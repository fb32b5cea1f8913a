import type { Measured } from './explored-results.js'

/** Assumed requests per second. */
const perSecond = 400
const minute = 60 * perSecond

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN

export const rowOf = ({ name, shows, bound, found, requests, kind, isNamed }: Measured): string =>
  `| ${[name, shows, found?.requestsBefore ?? '-', found?.seconds ?? '-', requests ?? '-', isNamed ? `${kind}, names the rule` : kind, bound].join(' | ')} |`

const percent = (some: number, all: number): string => `${Math.round((100 * some) / all)} %`

export function summaryOf(measured: readonly Measured[]): string {
  const found = measured.flatMap(({ found: one, requests, isNamed }) => (one ? [{ ...one, requests, isNamed }] : []))
  const inTime = found.filter(({ requestsBefore }) => requestsBefore <= minute)
  const requests = median(found.map(({ requestsBefore }) => requestsBefore))
  const lengths = median(found.flatMap(({ requests }) => requests ?? []))
  const named = found.filter(({ isNamed }) => isNamed)
  return [
    `Explorations found ${inTime.length} of ${measured.length} measured mutants within 60 s (${percent(inTime.length, measured.length)}).`,
    `Medians: ${requests} requests (${Math.round((10 * requests) / perSecond) / 10} s) before the finding, ${lengths} requests in the finding.`,
    `${named.length} findings (${percent(named.length, found.length)}) name the rule that the mutant breaks.`,
  ].join(' ')
}
