/** The table of what explorations find, as it stands in docs/explored-mutants.md. */
import { rename, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Measured } from './explored-results.js'

/** Compared requests per second that an exploration is held to have: what the seconds of the summary are counted by. */
const perSecond = 400
const minute = 60 * perSecond

const page = fileURLToPath(new URL('../../../docs/explored-mutants.md', import.meta.url))

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN

export const rowOf = ({ name, shows, bound, found, requests, kind, isNamed }: Measured): string =>
  `| ${[name, shows, found?.asked ?? '-', found?.seconds ?? '-', requests ?? '-', isNamed ? `${kind}, by its name` : kind, bound].join(' | ')} |`

const percent = (some: number, all: number): string => `${Math.round((100 * some) / all)} %`

export function summaryOf(measured: readonly Measured[]): string {
  const found = measured.flatMap(({ found: one, requests, isNamed }) => (one ? [{ ...one, requests, isNamed }] : []))
  const inTime = found.filter(({ asked }) => asked <= minute)
  const asked = median(found.map((one) => one.asked))
  const lengths = median(found.flatMap(({ requests }) => requests ?? []))
  const named = found.filter(({ isNamed }) => isNamed)
  return [
    `${inTime.length} of ${measured.length} measured ones found within 60 s (${percent(inTime.length, measured.length)}),`,
    `in the median after ${asked} requests (${Math.round((10 * asked) / perSecond) / 10} s),`,
    `by ${lengths} requests in the median; of ${named.length} of those found (${percent(named.length, found.length)}) the very rule is named that they break.`,
  ].join(' ')
}

/** In place of what stood there. `all`: how many mutants there are. */
export async function writeTable(measured: readonly Measured[], all: number): Promise<void> {
  const sorted = measured.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const scope =
    measured.length < all
      ? ` This page holds the ${measured.length} that have been measured so far, which chance has chosen: it says little of all until there are more.`
      : ''
  const text = `# What explorations find of mutants

${summaryOf(measured)}

The simulator breaks one rule at a time, by each of the ${all} mutants of \`conform prove\`, and is explored until the first finding is told, without any
row.${scope} Time is counted in requests, as the machine has others to serve:
those that are compared, those that confirm and shrink what differed, and those of several clients at once; at ${perSecond} a second 60 s are ${minute}. The seconds beside them are those that went by.

\`\`\`sh
npm run measure:explore -- ${minute}    # all that have not been measured yet by the same code; goes on where it was ended; writes this page
\`\`\`

| Mutant | Shows in | Requests until told | Seconds | Requests of the finding | Told as | Explored with at most |
|---|---|---|---|---|---|---|
${sorted.map(rowOf).join('\n')}
`
  // Another measurement may write it at the same time; the last one has all results.
  await writeFile(`${page}.${process.pid}`, text)
  await rename(`${page}.${process.pid}`, page)
}
