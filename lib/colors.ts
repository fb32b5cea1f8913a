/**
 * Each colour code contains a random mark of this process until control characters are escaped, so foreign text cannot
 * set colours.
 */

const marking = globalThis.crypto.getRandomValues(new Uint32Array(4)).join('-')

const mark = `\u001b<${marking}>`
const escapedMark = `\\u001b<${marking}>`

export type Paint = (text: string) => string

export type Colors = Readonly<Record<'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan', Paint>>

const painted =
  (begin: number, end: number): Paint =>
  (text) =>
    `${mark}[${begin}m${text}${mark}[${end}m`

const plain: Paint = (text) => text
const withColor: Colors = {
  bold: painted(1, 22),
  dim: painted(2, 22),
  red: painted(31, 39),
  green: painted(32, 39),
  yellow: painted(33, 39),
  cyan: painted(36, 39),
}
const withoutColor: Colors = { bold: plain, dim: plain, red: plain, green: plain, yellow: plain, cyan: plain }

export const createColors = (color: boolean): Colors => (color ? withColor : withoutColor)

/** `escaped`: a result of `outgoing`. */
export const withCodes = (escaped: string): string => escaped.replaceAll(escapedMark, '\u001b')
