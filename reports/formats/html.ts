import type { RunRecord } from '../../record/types/record.js'
import { html, type Markup, pageHead, trusted } from '../markup/html-template.js'
import { compareRuns, regressionsInWords } from '../summary/compare-runs.js'
import type { RunFacts } from '../summary/compared-run.js'
import { conclude } from '../summary/conclusion.js'
import { factsOf } from '../summary/run-facts.js'
import { type TitledCause, titledCauses } from '../views/cause-titles.js'
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
import { PackedRows } from './packed-rows.js'
import { pageAssets } from './page-assets.js'

export interface HtmlOptions {
  baseline?: RunFacts | undefined
  /** Without a signer, the printed page has room for a name. */
  signing?: { name: string; issued: string }
  /** Of the rows, packed when they were read. */
  packed?: PackedRows | undefined
}

/**
 * The file opens from disk, loads nothing, and runs nothing from a target. All views except the rows are static: they
 * are the printed report, and the page without a script.
 */
export function htmlReport(written: RunRecord, { baseline, signing, packed }: HtmlOptions = {}): string {
  const { script, style, policy } = pageAssets()
  const conclusion = conclude(written)
  const record = { ...written, rows: inSuiteOrder(written.rows) }
  const { header } = record
  const rules = judgedRules(record, conclusion)
  const compared = baseline && comparison(record, baseline)
  const failures = compared?.failures ?? titledCauses(record.rows, header)
  const { run, blocks } = packedRun(record, packed)
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
${packedScript('id="run"', run)}${blocks.map((block) => packedScript('class="run-details"', block))}
<script>${trusted(script)}</script>
</body>
</html>
`.text
}

function packedRun(record: RunRecord, packed: PackedRows | undefined) {
  const all = packed ?? new PackedRows()
  if (!packed) for (const row of record.rows) all.add(row)
  return { run: all.run(record), blocks: all.blocks }
}

/** With an earlier run, new failures come before known ones. */
function comparison(record: RunRecord, baseline: RunFacts) {
  const found = compareRuns(baseline, factsOf(record))
  const known = new Set(found.knownFailures.map(({ id }) => id))
  const causesOf = (isKnown: boolean): TitledCause[] =>
    titledCauses(
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

/** Base64 needs no escapes in HTML, and browsers treat a script of an unknown type as data. */
const packedScript = (name: string, text: string): Markup =>
  html`<script type="text/plain" ${trusted(name)}>${text}</script>\n`
