/** The head that all HTML pages have: nothing but what the policy names is loaded, and nobody learns where a page was opened. */
import { html, type Markup, trusted } from './html-escape.js'

/** `policy` and `styles` are our own and stand as they are; the title may hold what a target said. */
export const pageHead = (title: string, policy: string, styles: readonly string[]): Markup => html`<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${trusted(policy)}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${styles.map((style) => html`<style>${trusted(style)}</style>\n`)}</head>`
