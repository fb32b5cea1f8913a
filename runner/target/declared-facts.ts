/** What is there at a target and no run could make or read: a target file declares it, and suites use it as variables. */
import type { JsonValue } from '../../lib/json/json.js'
import type { DeclaredFact } from '../../record/types/declared-facts.js'
import { dataOf, type Located, member } from '../yaml/located.js'

export type Claim = JsonValue
export type DeclaredFacts = ReadonlyMap<string, Claim>

/** By variable, where in `claims` it stands. */
const places: Readonly<Record<DeclaredFact, readonly [claim: string, ...member: string[]]>> = {
  unvettedSynchronizerId: ['unvetted-synchronizer'],
  tapsLimit: ['taps-limit'],
  'unhosted.preparedTransaction': ['unhosted-execution', 'preparedTransaction'],
  'unhosted.partySignatures': ['unhosted-execution', 'partySignatures'],
  'unhosted.hashingSchemeVersion': ['unhosted-execution', 'hashingSchemeVersion'],
}

/** Of a map whose form the schema has checked. */
export function readDeclaredFacts(node: Located | undefined): DeclaredFacts {
  const claims = new Map<string, JsonValue>()
  for (const [variable, path] of Object.entries(places)) {
    const found = path.reduce<Located | undefined>((at, name) => at && member(at, name), node)
    if (found) claims.set(variable, dataOf(found))
  }
  return claims
}

/** Variables that nobody claims, each with what would. */
export const listUndeclared = (claims: DeclaredFacts): [variable: string, reason: string][] =>
  Object.entries(places).flatMap(([variable, [claim]]) =>
    claims.has(variable) ? [] : [[variable, `claims: ${claim} in a target file would`]],
  )
