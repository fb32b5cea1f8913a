import { declaredFacts } from '../types/declared-facts.js'
import type { RunHeader, RunRow } from '../types/record.js'

const opposites: Readonly<Record<string, string>> = {
  authorization: 'open-access',
  'open-access': 'authorization',
  'one-synchronizer': 'several-synchronizers',
  'several-synchronizers': 'one-synchronizer',
}

/** Capabilities of the protocol version. Only the first one depends on nothing else, so it shows the version. */
export const capabilitiesByVersion = ['contract-keys', 'hashing-v3'] as const

/** Whether the configuration kept the row from being sent. */
export function isOutsideConfiguration(
  {
    verdict,
    evidence,
    resolved,
    configuration = 1,
  }: Pick<RunRow, 'verdict' | 'evidence' | 'resolved' | 'configuration'>,
  header: Pick<RunHeader, 'capabilities' | 'variables' | 'configurations'>,
): boolean {
  if (verdict !== 'not-applicable' || evidence.length > 0) return false
  const { capabilities } = header.configurations?.[configuration - 1] ?? header
  const { variables = {} } = header
  const isUnmet = (need: string): boolean => {
    const opposite = opposites[need]
    if (opposite !== undefined) return capabilities[opposite] === true
    return capabilitiesByVersion.some((name) => name === need) && capabilities[capabilitiesByVersion[0]] === false
  }
  if (resolved.needs.some(isUnmet)) return true
  const text = JSON.stringify([resolved.values, resolved.steps])
  return declaredFacts.some((name) => !Object.hasOwn(variables, name) && text.includes(`\${${name}}`))
}
