import type { JsonValue } from '../../lib/json/json.js'
import type { DeclaredFact } from '../../record/types/declared-facts.js'
import { member, type SettingValue } from './setting-value.js'

export type Claim = JsonValue
export type DeclaredFacts = ReadonlyMap<string, Claim>

const paths: Readonly<Record<DeclaredFact, readonly [claim: string, ...member: string[]]>> = {
  unvettedSynchronizerId: ['unvetted-synchronizer'],
  tapsLimit: ['taps-limit'],
  'unhosted.preparedTransaction': ['unhosted-execution', 'preparedTransaction'],
  'unhosted.partySignatures': ['unhosted-execution', 'partySignatures'],
  'unhosted.hashingSchemeVersion': ['unhosted-execution', 'hashingSchemeVersion'],
}

export function readDeclaredFacts(node: SettingValue | undefined): DeclaredFacts {
  const claims = new Map<string, JsonValue>()
  for (const [variable, path] of Object.entries(paths)) {
    const found = path.reduce<SettingValue | undefined>((at, name) => at && member(at, name), node)
    if (found) claims.set(variable, found.value)
  }
  return claims
}

/** Variables without a value, each with its setting in a target file. */
export const listUndeclared = (claims: DeclaredFacts): [variable: string, setting: string][] =>
  Object.entries(paths).flatMap(([variable, [claim]]) => (claims.has(variable) ? [] : [[variable, `claims: ${claim}`]]))
