import type { Profile } from '../suite.js'
import type { FindingList } from './finding-list.js'
import type { ProfileText } from './read-profiles.js'
import { suggestion } from './suggest.js'

/**
 * Profiles with everything that they take from those they extend: what a profile says of `accepted`, `refused`, a
 * condition or a divergence takes the place of what the other one says of it. Profiles that extend each other in a ring,
 * that lack an outcome, or that name an unknown divergence are findings, and those that lack an outcome are left out.
 */
export function resolveProfiles(texts: ReadonlyMap<string, ProfileText>, findings: FindingList): Map<string, Profile> {
  const resolved = new Map<string, Profile>()
  for (const text of texts.values()) {
    const lineage = lineageOf(text, texts, findings)
    const profile = lineage && combine(text, lineage, findings)
    if (profile) resolved.set(text.name, profile)
  }
  return resolved
}

/** From the outermost ancestor to the profile itself; undefined where that has no end, or an ancestor is not known. */
function lineageOf(
  text: ProfileText,
  texts: ReadonlyMap<string, ProfileText>,
  findings: FindingList,
): ProfileText[] | undefined {
  const lineage = [text]
  for (let current = text; current.extends !== undefined; ) {
    const parent = texts.get(current.extends)
    if (!parent) return undefined
    lineage.unshift(parent)
    if (parent === text) {
      const ring = lineage.map(({ name }) => name).reverse()
      findings.add(text.place, `profiles extend each other in a ring: ${ring.join(' -> ')}`)
    }
    if (lineage.indexOf(parent, 1) > 0) return undefined
    current = parent
  }
  return lineage
}

function combine(text: ProfileText, lineage: readonly ProfileText[], findings: FindingList): Profile | undefined {
  const { name, title, place, named } = text
  const accepted = lineage.findLast((one) => one.accepted)?.accepted
  const refused = lineage.findLast((one) => one.refused)?.refused
  const divergences = new Map(
    lineage.flatMap((one) => one.divergences.map((divergence) => [divergence.id, divergence])),
  )
  for (const { id, place: there } of named) {
    if (!divergences.has(id)) findings.add(there, `unknown divergence "${id}"`, suggestion(id, divergences.keys()))
  }
  if (!accepted || !refused) {
    const missing = [...(accepted ? [] : ['accepted']), ...(refused ? [] : ['refused'])].join(' and ')
    // Said once, of the profile that has nobody to take it from.
    if (lineage.length === 1) {
      const message = `the profile "${name}" does not say what ${missing} looks like`
      findings.add(place, message, 'say it here, or extend a profile that does')
    }
    return undefined
  }
  return {
    name,
    title,
    basis: lineage.findLast((one) => one.basis)?.basis ?? 'text',
    accepted,
    refused,
    conditions: new Map(lineage.flatMap((one) => [...one.conditions])),
    divergences: [...divergences.values()],
    place,
  }
}
