/** What shows late is not there yet when others do not keep a participant busy, or fewer turns are in between: then whoever looks at the end waits. */
import type { Turn } from '../send/step.js'

/** Milliseconds that are tried. */
export const waits: readonly number[] = [300, 1200, 2500]

/** Undefined: nobody looks where the ledger ends, or as late as that anyway. */
export function withLaterLook(turns: readonly Turn[], milliseconds: number): Turn[] | undefined {
  const at = turns.findLastIndex(looksAtEnd)
  const look = turns[at]
  if (!look || (look.after ?? 0) >= milliseconds) return undefined
  const waiting = { ...look, about: `where the ledger ends ${milliseconds} ms later`, after: milliseconds }
  return turns.with(at, waiting)
}

/** Undefined: nobody waits before looking. */
export function withLookAtOnce(turns: readonly Turn[]): Turn[] | undefined {
  const at = turns.findLastIndex((turn) => looksAtEnd(turn) && turn.after !== undefined)
  const { after: _, ...look } = turns[at] ?? {}
  return 'about' in look ? turns.with(at, { ...look, about: 'where the ledger ends' }) : undefined
}

const looksAtEnd = ({ operation, capture }: Turn): boolean => operation === 'ledger-end' && 'end' in capture
