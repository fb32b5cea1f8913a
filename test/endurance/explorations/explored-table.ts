import { rename, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Measured } from './explored-results.js'

/** Assumed requests per second. */
const perSecond = 400
const minute = 60 * perSecond

const page = fileURLToPath(new URL('../../../../docs/explored-mutants.md', import.meta.url))

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

/** `all`: number of all mutants. */
export async function writeTable(measured: readonly Measured[], all: number): Promise<void> {
  const sorted = measured.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const scope =
    measured.length < all
      ? ` ${all - measured.length} of the ${all} mutants of \`conform prove\` are not measured.`
      : ''
  const text = `# Mutants found by explorations

${summaryOf(measured)}

Each of these ${measured.length} mutants is explored until the first finding.${scope} The time limit is a number of requests, because the speed
of the machine varies: ${minute} requests are 60 s at ${perSecond} requests per second. They include repeated requests and concurrency trials. The column Seconds
contains measured times.

\`\`\`sh
npm run measure:explore -- ${minute}    # continues with the mutants that the same code has not measured; writes this page
\`\`\`

| Mutant | Shows in | Requests before the finding | Seconds | Requests of the finding | Finding | Limit of requests |
|---|---|---|---|---|---|---|
${sorted.map(rowOf).join('\n')}
`
  // Another process may write it at the same time.
  await writeFile(`${page}.${process.pid}`, text)
  await rename(`${page}.${process.pid}`, page)
}
