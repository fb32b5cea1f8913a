/** On paper: who signs, and the digest of the record. */
import { html, type Markup } from '../markup/html-template.js'
import type { Signing } from '../wording/signing.js'
import { instant } from '../wording/words.js'

export const signatureBlock = ({
  name = '',
  issued,
  digest,
  code,
}: Signing): Markup => html`<section class="signature paper-only" aria-label="Signature">
<dl>${[line('Name', name), line('Date', issued === undefined ? '' : instant(issued)), line('Signature', '')]}</dl>
<div>
<svg viewBox="0 0 ${code.size} ${code.size}" role="img" aria-label="Record digest as a QR code"><path d="${code.path}"/></svg>
<p>Record digest (SHA-256): <code>${digest || 'none: the record has no footer'}</code></p>
</div>
</section>`

const line = (name: string, value: string): Markup => html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`
