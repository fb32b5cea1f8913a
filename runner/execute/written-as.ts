/** Bodies that are right but for the way in which they are written, which is no JSON: whoever reads them all the same shows it. */
import { gzipSync } from 'node:zlib'
import type { Writing } from '../../record/resolved-row.js'

/** `text` is a JSON object; undefined: as it is, in UTF-8. */
export function writtenAs(text: string, way: Writing | undefined): Buffer {
  switch (way) {
    case 'utf-16':
      return Buffer.from(text, 'utf16le')
    case 'gzip':
      return gzipSync(text)
    case 'truncated':
      return Buffer.from(text.slice(0, -1), 'utf8')
    case 'followed':
      return Buffer.from(`${text} {}`, 'utf8')
    case 'trailing-comma':
      return Buffer.from(text.replace(/\}$/, ',}'), 'utf8')
    case 'comment':
      return Buffer.from(text.replace(/^\{/, '{/* */'), 'utf8')
    case 'single-quotes':
      return Buffer.from(text.replaceAll('"', "'"), 'utf8')
    case 'not-a-number':
      return Buffer.from(text.replace(/\}$/, ',"somethingElse":NaN}'), 'utf8')
    case 'byte-order-mark':
      return Buffer.from(`\uFEFF${text}`, 'utf8')
    case undefined:
      return Buffer.from(text, 'utf8')
  }
}
