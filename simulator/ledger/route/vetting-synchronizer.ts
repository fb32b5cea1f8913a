import type { Ledger } from '../state/ledger.js'
import type { Synchronizer } from '../state/synchronizer.js'
import { vettingSynchronizerNotConnected, vettingSynchronizerOpen } from './synchronizer-errors.js'

/** On which synchronizer vetting changes: the one of that id, or where it is empty the only one. Throws `LedgerError`. */
export function synchronizerToVetOn(id: string, ledger: Ledger): Synchronizer {
  const found = ledger.synchronizer(id)
  if (found) return found
  throw id === '' ? vettingSynchronizerOpen(ledger.synchronizers) : vettingSynchronizerNotConnected(id)
}
