/** Symbol and word, so that color is not the only difference. */
import type { Verdict } from '../../record/types/verdict.js'
import { html, type Markup } from '../markup/html-template.js'
import { verdictIcon } from '../wording/terms.js'

export const verdictBadge = (verdict: Verdict): Markup =>
  html`<span class="verdict ${verdict}"><span aria-hidden="true">${verdictIcon[verdict]}</span> ${verdict}</span>`
