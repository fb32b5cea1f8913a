/**
 * Colours of the program's own words. What the program did not colour itself cannot colour the console: a code carries a mark that
 * only this process knows, and is written without it behind the escaping of control characters.
 */

const marking = globalThis.crypto.getRandomValues(new Uint32Array(4)).join('-')

/** What codes begin with until they are printed. */
const mark = `\u001b<${marking}>`
/** The same, after control characters were escaped. */
const escapedMark = `\\u001b<${marking}>`

export type Paint = (text: string) => string

export type Colors = Readonly<Record<'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan', Paint>>

const painted =
  (begin: number, end: number): Paint =>
  (text) =>
    `${mark}[${begin}m${text}${mark}[${end}m`

const plain: Paint = (text) => text
const withColor: Colors = {
  ...{ bold: painted(1, 22), dim: painted(2, 22), red: painted(31, 39), green: painted(32, 39) },
  ...{ yellow: painted(33, 39), cyan: painted(36, 39) },
}
const withoutColor: Colors = { bold: plain, dim: plain, red: plain, green: plain, yellow: plain, cyan: plain }

/** Paints nothing unless `color`. */
export const createColors = (color: boolean): Colors => (color ? withColor : withoutColor)

/** The text as a terminal takes it; `escaped` is what `outgoing` returned. */
export const withCodes = (escaped: string): string => escaped.replaceAll(escapedMark, '\u001b')
