import { suggestion } from '../../interface/suggest.js'
import type { ConditionOutcome, Divergence, Form, Profile } from '../suite/suite.js'
import type { FindingList } from './finding-list.js'
import type { ProfileText } from './read-profiles.js'

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
  const divergences = divergencesOf(lineage)
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
    ...conditionsOf(lineage),
    forms: formsOf(lineage),
    divergences: [...divergences.values()],
    place,
  }
}

/** In a profile that was only read, so is everything: also what it takes from one that was seen. */
function asIn<Fact extends ConditionOutcome | Divergence>(
  fact: Fact,
  from: ProfileText,
  lineage: readonly ProfileText[],
): Fact {
  if (from.confidence === 'read') return { ...fact, confidence: 'read' }
  const reader = lineage.slice(lineage.indexOf(from)).find(({ confidence }) => confidence === 'read')
  return reader ? { ...fact, confidence: 'read', source: `as ${from.name} (${fact.source})` } : fact
}

function divergencesOf(lineage: readonly ProfileText[]): Map<string, Divergence> {
  return new Map(
    lineage.flatMap((one) =>
      one.divergences.map((divergence): [string, Divergence] => [divergence.id, asIn(divergence, one, lineage)]),
    ),
  )
}

function conditionsOf(lineage: readonly ProfileText[]): Pick<Profile, 'conditions' | 'versions'> {
  const conditions: Profile['conditions'] = new Map()
  const versions: Profile['versions'] = new Map()
  for (const one of lineage) {
    for (const [name, text] of one.conditions) {
      conditions.set(name, asIn(text.outcome, one, lineage))
      versions.delete(name)
      const own = [...text.versions].map(([version, outcome]): [number, ConditionOutcome] => [
        version,
        asIn(outcome, one, lineage),
      ])
      if (own.length > 0) versions.set(name, new Map(own))
    }
  }
  return { conditions, versions }
}

function formsOf(lineage: readonly ProfileText[]): Map<string, Form> {
  const [root] = lineage
  const isRead = lineage.some(({ confidence }) => confidence === 'read')
  return new Map(
    [...(root?.forms ?? [])].map(([name, text]): [string, Form] => {
      const matcher = lineage.findLast(({ forms }) => forms.has(name))?.forms.get(name) ?? text
      return [name, { matcher, text, confidence: isRead ? 'read' : 'observed' }]
    }),
  )
}
