/** Keys of parties that sign for themselves, and what they sign. */
import type { Data } from '../../record/types/resolved-row.js'
import { variable } from './variable.js'

/** Keys of a party, as fixtures of the suite have them. */
export const keysOf: Readonly<Record<string, readonly string[]>> = {
  eve: ['eve.key-1'],
  pia: ['pia.key-1'],
  trio: ['trio.key-1', 'trio.key-2', 'trio.key-3'],
}

/** Each of the party's keys over it. */
export const signedBy = (party: string, what: Data): Data[] =>
  (keysOf[party] ?? []).map((key) => ({ $sign: what, with: variable(key) }))
