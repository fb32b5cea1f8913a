/** The report on paper, and without a script. */
import type { RunRecord } from '../../record/types/record.js'
import { html, type Markup } from '../markup/html-template.js'
import { inSuiteOrder } from '../wording/rows.js'
import type { Signing } from '../wording/signing.js'
import { printedFailures } from './failures.js'
import { printedRules } from './rules.js'
import { signersPage } from './signers-page.js'
import { testSetup } from './test-setup.js'

export function printedReport(written: RunRecord, signing: Signing): Markup {
  const record = { ...written, rows: inSuiteOrder(written.rows) }
  // The page has a main element of its own.
  return html`<div class="printed" role="main">
${[signersPage(written, signing), testSetup(record), printedFailures(record), printedRules(record)]}
</div>`
}
