import { damage } from '../../../runner/sign/alter.js'

export interface BytesRecipe {
  /** Base64; hexadecimal for `hexflip` and `fromHex`. */
  from: string
  into: string
  op: 'flip' | 'cut' | 'extend' | 'multihash' | 'hexflip' | 'fromHex'
  where?: 'first' | 'middle' | 'last'
}

export function madeBytes({ op, where = 'middle' }: BytesRecipe, text: string): string {
  if (op === 'fromHex') return Buffer.from(text, 'hex').toString('base64')
  // After the version of a contract id.
  if (op === 'hexflip') return text.slice(0, 12) + (text[12] === '0' ? '1' : '0') + text.slice(13)
  const how = op === 'flip' ? `flip-${where}` : op
  const damaged = damage(Buffer.from(text, 'base64'), how)
  if (!damaged) throw new Error(`bytes cannot be damaged by ${how}`)
  return damaged.toString('base64')
}
