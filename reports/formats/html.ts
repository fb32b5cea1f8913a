/** A record as one HTML file. */
import { promisify } from 'node:util'
import { deflateRaw } from 'node:zlib'
import { outgoing } from '../../lib/outgoing.js'
import type { RunRecord } from '../../record/types/record.js'
import { type Conclusion, conclude } from '../summary/conclusion.js'
import { configurationLines } from '../wording/configurations.js'
import { judgedBy, oftenInWords, textInWords } from '../wording/judged-by.js'
import { signingOf } from '../wording/signing.js'
import { verdictLine } from '../wording/verdict-text.js'
import { html, type Markup, trusted } from './html-escape.js'
import { pageAssets } from './page-assets.js'
import { pageRun } from './page-data.js'
import { pageHead } from './page-head.js'

/** Limits of shown bodies, in characters; the next one applies if the page is too large. */
const bodyLimits = [20_000, 4000, 1000, 200] as const

/** Characters of packed data; a larger page is slow to send and to open. */
const largest = 9_000_000

export interface HtmlOptions {
  /** An earlier run for a comparison in the page. */
  baseline?: RunRecord
  /** The first view. */
  view?: 'summary' | 'compare'
  /** The comparison initially contains changed timing. */
  times?: boolean
  /** The signer; without one the printed page has room for a name. */
  signing?: { name: string; issued: string }
}

/** The file opens from disk, loads nothing, and runs nothing from a target. Rejects with `PageNotBuilt`. */
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
  // Base64 needs no escapes in HTML, and browsers treat a script of an unknown type as data.
  return found.map(
    ([name, { run, details }]) => html`<script type="text/plain" id="${name}">${run}</script>
${details.map((block) => html`<script type="text/plain" class="${name}-details">${block}</script>\n`)}`,
  )
}

/** Only the conclusion: a script must unpack the rows. */
function withoutScript({ header }: RunRecord, { inWords, sentence, problems, counts }: Conclusion): Markup {
  return html`<main><h1>Conformance report: ${inWords}</h1>
${problems.map((problem) => html`<p>! ${problem}</p>`)}
<p>${sentence}</p>
<p>${verdictLine(counts)}</p>
<p>Target ${header.target.url}, profile ${judgedBy(header)}, interface text ${textInWords(header) ?? 'not recorded'}, seed ${header.seed}${oftenInWords(header)}, suite digest ${header.suite.digest}</p>
${configurationLines(header).map((line) => html`<p>${line}</p>`)}
<p>Enable JavaScript to see the rows; the page loads nothing. The run record also contains them, one in each line.</p>
</main>`
}

/** Deflated JSON in base64. The page unpacks each block of details separately. */
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

/** Deflates in the thread pool. */
const pack = async (value: unknown): Promise<string> =>
  (await deflate(outgoing(JSON.stringify(value)))).toString('base64')

const packedSize = ({ run, details }: PackedRun): number =>
  details.reduce((sum, block) => sum + block.length, run.length)
