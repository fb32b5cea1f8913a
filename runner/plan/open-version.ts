import { capabilitiesByVersion } from '../../record/judgements/outside-configuration.js'
import { expectationsOf } from '../../record/judgements/references.js'
import type { ResolvedRow } from '../../record/types/resolved-row.js'
import type { Profile } from '../suite/suite.js'

/** Situations and divergences of the profile that depend on the protocol version. */
export const factsByVersion = ({ versions, divergences }: Profile): Set<string> =>
  new Set([
    ...versions.keys(),
    ...divergences.flatMap(({ id, protocolVersion }) => (protocolVersion === undefined ? [] : [id])),
  ])

/** The cause if the row needs the unknown version. */
export function openVersionOf(row: ResolvedRow, facts: ReadonlySet<string> | undefined): string | undefined {
  if (!facts) return undefined
  const isOpen =
    row.needs.some((need) => capabilitiesByVersion.some((name) => name === need)) ||
    row.steps
      .flatMap(expectationsOf)
      .some(({ situation, divergence }) => facts.has(situation ?? '') || facts.has(divergence ?? ''))
  return isOpen ? unknownVersion : undefined
}

const unknownVersion =
  'the row depends on the protocol version, and the target prepares no transaction that shows it. Set --protocol-version.'
