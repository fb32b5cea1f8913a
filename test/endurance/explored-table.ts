/** The table of what explorations find, as it stands in docs/explored-deviations.md. */
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

export interface Measured {
  name: string
  shows: string
  /** Requests with which it was explored at most. */
  bound: number
  /** Requests of all kinds, and seconds on the machine of the measurement, until the finding was told. */
  found: { asked: number; seconds: number } | undefined
  /** Of the finding. */
  requests: number | undefined
  kind: string
}

/** Compared requests per second that an exploration is held to have: what the seconds of the summary are counted by. */
const perSecond = 400

const page = fileURLToPath(new URL('../../../docs/explored-deviations.md', import.meta.url))

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN

export const rowOf = ({ name, shows, bound, found, requests, kind }: Measured): string =>
  `| ${[name, shows, found?.asked ?? '-', found?.seconds ?? '-', requests ?? '-', kind, bound].join(' | ')} |`

export function summaryOf(measured: readonly Measured[]): string {
  const found = measured.flatMap(({ found: one, requests }) => (one ? [{ ...one, requests }] : []))
  const inTime = found.filter(({ asked }) => asked <= 60 * perSecond)
  const asked = median(found.map((one) => one.asked))
  const lengths = median(found.flatMap(({ requests }) => requests ?? []))
  return [
    `${inTime.length} of ${measured.length} measured ones found within 60 s (${Math.round((100 * inTime.length) / measured.length)} %),`,
    `in the median after ${asked} requests (${Math.round((10 * asked) / perSecond) / 10} s),`,
    `by ${lengths} requests in the median.`,
  ].join(' ')
}

/** What was measured before. */
export async function measuredIn(): Promise<Measured[]> {
  const text = await readFile(page, 'utf8').catch(() => '')
  return text.split('\n').flatMap((line) => {
    const [, name = '', shows = '', asked = '', seconds = '', requests = '', kind = '', bound = ''] = line
      .split('|')
      .map((cell) => cell.trim())
    if (!/^\d+$/.test(bound)) return []
    return {
      ...{ name, shows, bound: Number(bound), kind },
      found: asked === '-' ? undefined : { asked: Number(asked), seconds: Number(seconds) },
      requests: requests === '-' ? undefined : Number(requests),
    }
  })
}

export async function writeMeasured(measured: readonly Measured[], all: number): Promise<void> {
  const sorted = measured.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const text = `# What explorations find of deviations

${summaryOf(measured)}

The simulator breaks one rule at a time, by each of the ${all} deviations of \`conform prove\`, and is explored until the first finding is told, without any
row. This page holds the ${measured.length} that have been measured so far, which chance has chosen: it says little of all until there are more. Time is counted in requests, as the machine has others to serve:
those that are compared, those that confirm and shrink what differed, and those of several clients at once; at ${perSecond} a second 60 s are ${60 * perSecond}. The seconds beside them are those that went by.

\`\`\`
npm run measure:explore -- 24000 1/24    # the first of 24 parts; writes this page
\`\`\`

| Deviation | Shows in | Requests until told | Seconds | Requests of the finding | Told as | Explored with at most |
|---|---|---|---|---|---|---|
${sorted.map(rowOf).join('\n')}
`
  await writeFile(page, text)
}
