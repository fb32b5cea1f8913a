import { promisify } from 'node:util'
import { deflateRaw } from 'node:zlib'
import { outgoing } from '../../lib/outgoing.js'
import type { RunRecord } from '../../record/types/record.js'
import { html, type Markup, pageHead, trusted } from '../markup/html-template.js'
import { printedReport } from '../print/printed-report.js'
import type { RunFacts } from '../summary/compared-run.js'
import { conclude } from '../summary/conclusion.js'
import { signingOf } from '../wording/signing.js'
import { pageAssets } from './page-assets.js'
import { longestBody, pageRun } from './page-data.js'

/** Characters of a shown body; the next limit applies if the page is too large. */
const bodyLimits = [longestBody, 4000, 1000, 200] as const

/** Characters; a larger page is slow to send and to open. */
const largest = 9_000_000

export interface HtmlOptions {
  baseline?: RunFacts
  /** Without a signer, the printed page has room for a name. */
  signing?: { name: string; issued: string }
}

/** The file opens from disk, loads nothing, and runs nothing from a target. */
export async function htmlReport(record: RunRecord, { baseline, signing }: HtmlOptions = {}): Promise<string> {
  const { script, style, policy } = pageAssets()
  const { inWords } = conclude(record)
  const { header } = record
  return html`<!doctype html>
<html lang="en">
${pageHead(`${inWords}: ${header.target.url} - conformance report`, policy, [style])}
<body>
<div id="page"></div>
${printedReport(record, signingOf(record, signing))}
${await packed(record)}
${baseline && packedScript('baseline', await pack(baseline))}
<script>${trusted(script)}</script>
</body>
</html>
`.text
}

async function packed(record: RunRecord): Promise<Markup[]> {
  let found: PackedRun = { run: '', details: [] }
  for (const limit of bodyLimits) {
    found = await packRun(record, limit)
    if (packedSize(found) <= largest) break
  }
  return [
    packedScript('run', found.run),
    ...found.details.map((block) => html`<script type="text/plain" class="run-details">${block}</script>\n`),
  ]
}

/** Base64 needs no escapes in HTML, and browsers treat a script of an unknown type as data. */
const packedScript = (name: string, text: string): Markup =>
  html`<script type="text/plain" id="${name}">${text}</script>\n`

/** Deflated JSON in base64. The page unpacks blocks of details separately. */
interface PackedRun {
  run: string
  details: string[]
}

/** One block at a time, because all blocks together need several times the memory of the record. */
async function packRun(record: RunRecord, bodyLimit: number): Promise<PackedRun> {
  const { run, details } = pageRun(record, bodyLimit)
  const blocks: string[] = []
  for (const block of details) blocks.push(await pack(block))
  return { run: await pack(run), details: blocks }
}

const deflate = promisify(deflateRaw)

/** Deflates in the thread pool. */
const pack = async (value: unknown): Promise<string> =>
  (await deflate(outgoing(JSON.stringify(value)))).toString('base64')

const packedSize = ({ run, details }: PackedRun): number =>
  details.reduce((sum, block) => sum + block.length, run.length)
