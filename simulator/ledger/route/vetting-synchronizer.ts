import type { Ledger } from '../state/ledger.js'
import type { Synchronizer } from '../state/synchronizer.js'
import { vettingSynchronizerNotConnected, vettingSynchronizerOpen } from './synchronizer-errors.js'

/** An empty id means the only synchronizer. Throws `LedgerError`. */
export function synchronizerToVetOn(id: string, ledger: Ledger): Synchronizer {
  const found = ledger.synchronizer(id)
  if (found) return found
  throw id === '' ? vettingSynchronizerOpen(ledger.synchronizers) : vettingSynchronizerNotConnected(id)
}
