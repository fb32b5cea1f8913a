/** One static page over several runs, from their summaries. */
import { pageAssets } from '../formats/page-assets.js'
import { html, pageHead } from '../markup/html-template.js'
import type { RunFacts } from '../summary/compared-run.js'
import { count } from '../wording/words.js'
import type { Series } from './night-series.js'
import { nightsSection } from './nights.js'
import { participantsSection, type ReportOf } from './participants.js'

/**
 * The newest run of each series stands for it.
 * `reportOf`: the address of the report of a run; undefined: no link.
 * @example comparePage(series, () => undefined) // '<!doctype html>…'
 */
export function comparePage(series: readonly Series[], reportOf: ReportOf): string {
  const { style, staticPolicy } = pageAssets()
  const total = series.reduce((sum, { runs }) => sum + runs.length, 0)
  const newest = series.flatMap(({ runs }): RunFacts[] => runs.slice(-1))
  const several = series.filter(({ runs }) => runs.length > 1)
  const title = `${count(total, 'run')} of ${count(series.length, 'target with its profile', 'targets with their profiles')}`
  return html`<!doctype html>
<html lang="en">
${pageHead(`${title}: conformance comparison`, staticPolicy, [style])}
<body>
<main class="comparison">
<h1>${title}</h1>
${series.length > 1 ? participantsSection(newest, reportOf) : undefined}
${(series.length > 1 ? several : series).map((one) => nightsSection(one, reportOf))}
</main>
</body>
</html>
`.text
}
