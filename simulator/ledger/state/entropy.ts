import { randomBytes } from 'node:crypto'
import { sha256 } from '../../../interface/crypto-hash.js'
import { inOnePiece } from '../../base/strings.js'

/** Injected, so that a seed reproduces a run. */
export interface Entropy {
  bytes(length: number): Buffer
  hex(length: number): string
  uuid(): string
}

export interface EntropyState {
  seed: string
  /** Blocks drawn so far. A new seed does not reset it, so ids never repeat. */
  counter: number
}

export interface SeededEntropy extends Entropy {
  readonly state: EntropyState
}

/** Without a seed, draws one. */
export function createEntropy(seed: string = randomBytes(16).toString('hex')): SeededEntropy {
  const state = { seed, counter: 0 }
  const bytes = (length: number): Buffer => {
    const blocks: Buffer[] = []
    for (let have = 0; have < length; have += 32) {
      state.counter += 1
      blocks.push(sha256(`${state.seed}/${state.counter}`))
    }
    const [first] = blocks
    return first && length === 32 ? first : Buffer.concat(blocks).subarray(0, length)
  }
  const hex = (length: number): string => bytes(length).toString('hex')
  const uuid = (): string => {
    const text = hex(16)
    const variant = ((Number.parseInt(text.slice(16, 17), 16) & 3) | 8).toString(16)
    return inOnePiece(
      `${text.slice(0, 8)}-${text.slice(8, 12)}-4${text.slice(13, 16)}-${variant}${text.slice(17, 20)}-${text.slice(20, 32)}`,
    )
  }
  return { state, bytes, hex, uuid }
}
