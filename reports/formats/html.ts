import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { createDeflateRaw } from 'node:zlib'
import { outgoingJson } from '../../lib/outgoing.js'
import type { RunRecord } from '../../record/types/record.js'
import { html, type Markup, pageHead, trusted } from '../markup/html-template.js'
import { compareRuns, regressionsInWords } from '../summary/compare-runs.js'
import type { RunFacts } from '../summary/compared-run.js'
import { conclude } from '../summary/conclusion.js'
import { type FailureCause, failureCauses } from '../summary/failure-causes.js'
import { factsOf } from '../summary/run-facts.js'
import { conditionsView } from '../views/conditions.js'
import { failuresView } from '../views/failures.js'
import { pageHeader } from '../views/page-header.js'
import { judgedRules } from '../views/rule-states.js'
import { rulesView } from '../views/rules.js'
import { signatureBlock } from '../views/signature.js'
import { textView } from '../views/text.js'
import { verdictView } from '../views/verdict.js'
import { inSuiteOrder } from '../wording/rows.js'
import { signingOf } from '../wording/signing.js'
import { instant } from '../wording/words.js'
import { pageAssets } from './page-assets.js'
import { longestBody, pageDetails, pageRows } from './page-data.js'
import type { RowDetails } from './page-row.js'

/** Bytes of a shown body; the next limit applies if the page is too large. */
const bodyLimits = [longestBody, 4000, 1000, 200] as const

/** Characters; a larger page is slow to send and to open. */
const largest = 9_000_000

export interface HtmlOptions {
  baseline?: RunFacts
  /** Without a signer, the printed page has room for a name. */
  signing?: { name: string; issued: string }
}

/**
 * The file opens from disk, loads nothing, and runs nothing from a target. All views except the rows are static: they
 * are the printed report, and the page without a script.
 * @example await htmlReport(record) // '<!doctype html>…'
 */
export async function htmlReport(written: RunRecord, { baseline, signing }: HtmlOptions = {}): Promise<string> {
  const { script, style, policy } = pageAssets()
  const conclusion = conclude(written)
  const record = { ...written, rows: inSuiteOrder(written.rows) }
  const { header } = record
  const rules = judgedRules(record, conclusion)
  const compared = baseline && comparison(record, baseline)
  const failures = compared?.failures ?? failureCauses(record.rows, header)
  const causes = failures.length + (compared?.known.length ?? 0)
  return html`<!doctype html>
<html lang="en">
${pageHead(`${conclusion.inWords}: ${header.target.url} - conformance report`, policy, [style])}
<body>
${pageHeader(record, causes, rules.length)}
<main id="main" tabindex="-1">
${verdictView(record, conclusion, failures, compared?.sentence)}
${conditionsView(record, conclusion)}
${signatureBlock(signingOf(record, signing))}
${failuresView({ failures, ...(compared && { known: compared.known }) })}
${textView(rules, header)}
${rulesView(rules, header)}
<section id="rows" class="view-rows screen-only" aria-label="Rows"></section>
</main>
${await packed(written)}
<script>${trusted(script)}</script>
</body>
</html>
`.text
}

/** With an earlier run, new failures come before known ones. */
function comparison(record: RunRecord, baseline: RunFacts) {
  const found = compareRuns(baseline, factsOf(record))
  const known = new Set(found.knownFailures.map(({ id }) => id))
  const causesOf = (isKnown: boolean): FailureCause[] =>
    failureCauses(
      record.rows.filter(({ id }) => known.has(id) === isKnown),
      record.header,
    )
  const { run, startedAt } = baseline.header
  return {
    failures: causesOf(false),
    known: causesOf(true),
    sentence: `${regressionsInWords(found)}, compared with ${run} (${instant(startedAt)}).`,
  }
}

/** The run, and the details of its rows with one line for each. */
async function packed(record: RunRecord): Promise<Markup[]> {
  const run = await pack(runText(record))
  let details = ''
  for (const limit of bodyLimits) {
    details = await pack(linesOf(pageDetails(record, limit)))
    if (run.length + details.length <= largest) break
  }
  return [packedScript('run', run), packedScript('details', details)]
}

/** JSON of a `PageRun`. */
function* runText(record: RunRecord): Generator<string> {
  yield `{"header":${outgoingJson(record.header)},"rows":[`
  let separator = ''
  for (const row of pageRows(record)) {
    yield `${separator}${outgoingJson(row)}`
    separator = ','
  }
  yield ']}'
}

function* linesOf(details: Iterable<RowDetails>): Generator<string> {
  for (const one of details) yield `${outgoingJson(one)}\n`
}

/** Deflated text in base64. */
const pack = async (parts: Iterable<string>): Promise<string> =>
  (await pipeline(parts, createDeflateRaw(), buffer)).toString('base64')

/** Base64 needs no escapes in HTML, and browsers treat a script of an unknown type as data. */
const packedScript = (name: string, text: string): Markup =>
  html`<script type="text/plain" id="${name}">${text}</script>\n`
