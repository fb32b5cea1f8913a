/** The head of all HTML pages: it limits what the page can load, and sends no referrer. */
import { html, type Markup, trusted } from './html-escape.js'

/** `policy` and `styles` are constants of this project; the title can contain text from a target. */
export const pageHead = (title: string, policy: string, styles: readonly string[]): Markup => html`<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${trusted(policy)}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${styles.map((style) => html`<style>${trusted(style)}</style>\n`)}</head>`
