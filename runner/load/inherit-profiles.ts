import { suggestion } from '../../lib/suggest.js'
import type { Confidence } from '../../record/types/resolved-row.js'
import type { Divergence, Format, PermittedResponse, Profile, ResponsePattern, SituationFact } from '../suite/suite.js'
import type { FindingList } from '../yaml/finding-list.js'
import { given } from '../yaml/located.js'
import type { ProfileText } from './read-profiles.js'
import type { Named } from './read-situation-facts.js'

/**
 * Profiles with everything that they take from those they extend: what a profile says of `accepted`, `refused`, a
 * situation, a code or a divergence counts instead of what the other one says of it. Profiles that extend each other in a
 * ring, that lack an outcome, or that name an unknown divergence or code are findings, and those that lack an outcome are
 * left out.
 */
export function inheritProfiles(texts: ReadonlyMap<string, ProfileText>, findings: FindingList): Map<string, Profile> {
  const complete = new Map<string, Profile>()
  for (const text of texts.values()) {
    const lineage = lineageOf(text, texts, findings)
    const profile = lineage && combine(text, lineage, findings)
    if (profile) complete.set(text.name, profile)
  }
  return complete
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
      findings.add(text.location, `profiles extend each other in a ring: ${ring.join(' -> ')}`)
    }
    if (lineage.indexOf(parent, 1) > 0) return undefined
    current = parent
  }
  return lineage
}

function combine(text: ProfileText, lineage: readonly ProfileText[], findings: FindingList): Profile | undefined {
  const { name, title, line, location } = text
  const accepted = lineage.findLast((one) => one.accepted)
  const refused = lineage.findLast((one) => one.refused)
  const divergences = divergencesOf(lineage)
  const codes = new Map(lineage.flatMap((one) => [...one.codes].map(([code, { pattern }]) => [code, pattern] as const)))
  reportUnknown(text.named.divergences, 'divergence', [...divergences.keys()], findings)
  // A profile without a table says all of its codes itself.
  if (codes.size > 0) reportUnknown(text.named.codes, 'code', [...codes.keys()], findings)
  if (!accepted?.accepted || !refused?.refused) {
    const missing = [...(accepted ? [] : ['accepted']), ...(refused ? [] : ['refused'])].join(' and ')
    // Said once, of the profile that has nobody to take it from.
    if (lineage.length === 1) {
      const message = `the profile "${name}" does not say what ${missing} looks like`
      findings.add(location, message, 'say it here, or extend a profile that does')
    }
    return undefined
  }
  return {
    name,
    title,
    ...(line !== undefined && { line }),
    basis: lineage.findLast((one) => one.basis)?.basis ?? 'text',
    ...given({ statusesBy: lineage.findLast((one) => one.statusesBy)?.statusesBy }),
    accepted: { ...accepted.accepted, confidence: confidenceIn(accepted, lineage) },
    refused: { ...refused.refused, confidence: confidenceIn(refused, lineage) },
    ...situationsOf(lineage, (pattern) => complete(pattern, codes, refused.refused?.status ?? ['4xx'])),
    formats: formatsOf(lineage),
    divergences: [...divergences.values()],
    location,
  }
}

function reportUnknown(named: readonly Named[], what: string, known: readonly string[], findings: FindingList): void {
  for (const { name, location } of named) {
    if (!known.includes(name)) findings.add(location, `unknown ${what} "${name}"`, suggestion(name, known))
  }
}

/** A look with everything that follows from its code, and with the status of any refusal where it says none. */
function complete(
  pattern: PermittedResponse,
  codes: ReadonlyMap<string, ResponsePattern>,
  status: string[],
): PermittedResponse {
  const { name, outcome, ...own } = pattern
  if (Object.keys(own).length === 0) return pattern
  const common = own.code === undefined ? undefined : codes.get(own.code)
  // Only a body that is JSON has a code.
  return { name, outcome, status, ...(common && { mediaType: 'application/json', ...common }), ...own }
}

/** In a profile that was only read, so is everything but the text: also what it takes from one that was seen. */
function asIn<Fact extends SituationFact | Divergence>(
  fact: Fact,
  from: ProfileText,
  lineage: readonly ProfileText[],
): Fact {
  if (fact.confidence === 'text' || !isReadIn(lineage.slice(lineage.indexOf(from) + 1))) return fact
  return { ...fact, confidence: 'read', source: `as ${from.name} (${fact.source})` }
}

/** How a thing is known that a profile takes from this one and that has no confidence of its own. */
const confidenceIn = (from: ProfileText, lineage: readonly ProfileText[]): Confidence =>
  from.confidence === 'observed' && isReadIn(lineage) ? 'read' : from.confidence

const isReadIn = (profiles: readonly ProfileText[]): boolean => profiles.some(({ confidence }) => confidence === 'read')

function divergencesOf(lineage: readonly ProfileText[]): Map<string, Divergence> {
  return new Map(
    lineage.flatMap((one) =>
      one.divergences.map((divergence): [string, Divergence] => [divergence.id, asIn(divergence, one, lineage)]),
    ),
  )
}

function situationsOf(
  lineage: readonly ProfileText[],
  completed: (pattern: PermittedResponse) => PermittedResponse,
): Pick<Profile, 'situations' | 'versions'> {
  const situations: Profile['situations'] = new Map()
  const versions: Profile['versions'] = new Map()
  for (const one of lineage) {
    const taken = (fact: SituationFact): SituationFact =>
      asIn({ ...fact, alternatives: fact.alternatives.map(completed) }, one, lineage)
    for (const [name, text] of one.situations) {
      situations.set(name, taken(text.fact))
      versions.delete(name)
      const own = [...text.versions].map(([version, fact]): [number, SituationFact] => [version, taken(fact)])
      if (own.length > 0) versions.set(name, new Map(own))
    }
  }
  return { situations, versions }
}

function formatsOf(lineage: readonly ProfileText[]): Map<string, Format> {
  const [root] = lineage
  return new Map(
    [...(root?.formats ?? [])].map(([name, text]): [string, Format] => {
      const owner = lineage.findLast(({ formats }) => formats.has(name))
      const confidence = owner ? confidenceIn(owner, lineage) : 'text'
      return [name, { matcher: owner?.formats.get(name) ?? text, text, confidence }]
    }),
  )
}
