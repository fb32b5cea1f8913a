/** Addresses within the page, which a reader can send as links. */
import type { RunRow } from '../../record/types/record.js'
import { html, type Markup } from '../markup/html-template.js'
import { visible } from '../wording/hostile-text.js'

/** An address cannot contain a lone surrogate. */
export const rowAddress = (id: string): string => `#/rows/${visible(id).split('/').map(encodeURIComponent).join('/')}`

/**
 * `search` as in the search box of the rows.
 * @example rowsAddress('rule:EXE-PURPOSE') // '#/rows?q=rule%3AEXE-PURPOSE'
 */
export const rowsAddress = (search: string): string => `#/rows?${new URLSearchParams({ q: visible(search) })}`

export const ruleAddress = (id: string): string => rowsAddress(`rule:${id}`)

export const rowLink = ({ id }: RunRow): Markup => html`<a href="${rowAddress(id)}"><code>${id}</code></a>`
