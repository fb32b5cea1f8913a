import { promisify } from 'node:util'
import { deflateRaw } from 'node:zlib'
import { outgoing } from '../../lib/outgoing.js'
import type { RunRecord } from '../../record/types/record.js'
import { type Conclusion, conclude } from '../summary/conclusion.js'
import { configurationLines } from '../wording/configurations.js'
import { judgedBy, oftenInWords, textInWords } from '../wording/judged-by.js'
import { signingOf } from '../wording/signing.js'
import { verdictLine } from '../wording/verdict-line.js'
import { html, type Markup, trusted } from './html-escape.js'
import { pageAssets } from './page-assets.js'
import { pageRun } from './page-data.js'
import { pageHead } from './page-head.js'

/** Bodies are shown up to so many characters; the next limit is taken where the page would become too large. */
const bodyLimits = [20_000, 4000, 1000, 200] as const

/** Characters of packed data beyond which a page is slow to send and to open. */
const largest = 9_000_000

export interface HtmlOptions {
  /** An earlier run to compare with, inside the page. */
  baseline?: RunRecord
  /** What the page opens with when its address names nothing. */
  view?: 'summary' | 'compare'
  /** Whether a comparison tells what is much slower or faster, before its reader asks. */
  times?: boolean
  /** Who signs the report, and since when; on paper there is room for a name otherwise. */
  signing?: { name: string; issued: string }
}

/**
 * The record as one HTML file that opens from disk, loads nothing and runs nothing of what a target answered.
 * Rejects with `PageNotBuilt`.
 */
export async function htmlReport(
  record: RunRecord,
  { baseline, view = 'summary', times = false, signing }: HtmlOptions = {},
): Promise<string> {
  const { script, style, policy } = pageAssets()
  const conclusion = conclude(record)
  const { header } = record
  const records: [name: string, record: RunRecord][] = [['run', record]]
  if (baseline) records.push(['baseline', baseline])
  return html`<!doctype html>
<html lang="en">
${pageHead(`${conclusion.inWords}: ${header.target.url} - conformance report`, policy, [style])}
<body>
<div id="page" data-view="${view}" data-times="${String(times)}" data-signing="${JSON.stringify(signingOf(record, signing))}"></div>
<noscript>${withoutScript(record, conclusion)}</noscript>
${await packed(records)}
<script>${trusted(script)}</script>
</body>
</html>
`.text
}

async function packed(records: [name: string, record: RunRecord][]): Promise<Markup[]> {
  let found: [name: string, packed: PackedRun][] = []
  for (const limit of bodyLimits) {
    found = await Promise.all(
      records.map(async ([name, record]): Promise<[string, PackedRun]> => [name, await packRun(record, limit)]),
    )
    if (found.reduce((sum, [, one]) => sum + packedSize(one), 0) <= largest) break
  }
  // Base64 has no character that HTML knows, and a script of no known type is data: it is neither run nor shown.
  return found.map(
    ([name, { run, details }]) => html`<script type="text/plain" id="${name}">${run}</script>
${details.map((block) => html`<script type="text/plain" class="${name}-details">${block}</script>\n`)}`,
  )
}

/** The conclusion alone: the rows are packed, and need a script to be unpacked. */
function withoutScript({ header }: RunRecord, { inWords, sentence, problems, counts }: Conclusion): Markup {
  return html`<main><h1>Conformance report: ${inWords}</h1>
${problems.map((problem) => html`<p>! ${problem}</p>`)}
<p>${sentence}</p>
<p>${verdictLine(counts)}</p>
<p>${header.target.url}, judged by profile ${judgedBy(header)}, against ${textInWords(header) ?? 'a text that the record does not name'}, seed ${header.seed}${oftenInWords(header)}, suite digest ${header.suite.digest}</p>
${configurationLines(header).map((line) => html`<p>${line}</p>`)}
<p>To see the rows, open this file where JavaScript may run; it loads nothing. The run record has them as well, line by line.</p>
</main>`
}

/** A run, packed for the page: JSON, deflated, in base64. The page unpacks the blocks of details one by one. */
interface PackedRun {
  run: string
  details: string[]
}

async function packRun(record: RunRecord, bodyLimit: number): Promise<PackedRun> {
  const { run, details } = pageRun(record, bodyLimit)
  const blocks: Promise<string>[] = []
  for (let from = 0; from < details.length; from += run.blockSize) {
    blocks.push(pack(details.slice(from, from + run.blockSize)))
  }
  return { run: await pack(run), details: await Promise.all(blocks) }
}

const deflate = promisify(deflateRaw)

/** Deflated in threads of their own, while other reports are written. */
const pack = async (value: unknown): Promise<string> =>
  (await deflate(outgoing(JSON.stringify(value)))).toString('base64')

/** Characters that a packed run adds to the page. */
const packedSize = ({ run, details }: PackedRun): number =>
  details.reduce((sum, block) => sum + block.length, run.length)
