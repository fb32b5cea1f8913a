import type { Confidence } from '../../record/types/resolved-row.js'
import { accepted, type Location, type PermittedResponse, type SituationFact } from '../suite/suite.js'
import type { FindingList } from '../yaml/finding-list.js'
import { type Entry, entriesOf, given, itemsOf, type Located, member, optionalText, textAt } from '../yaml/located.js'
import { readResponsePattern } from './read-response-pattern.js'
import type { Reading } from './reading.js'

/** What a file says of one situation; what its codes have in common is not in it yet. */
export interface SituationText {
  /** With the highest protocol version, or whatever the version. */
  fact: SituationFact
  /** By protocol version, where it makes a difference. */
  versions: Map<number, SituationFact>
}

/** What a profile says of all its facts that do not say it themselves. */
export interface FactDefaults {
  confidence: Confidence
  source?: string
}

/** Something that a situation names, and where. */
export interface Named {
  name: string
  location: Location
}

export function readSituationFact(
  { name, key, value }: Entry,
  defaults: FactDefaults,
  reading: Reading,
): SituationText {
  if (name === accepted) reading.findings.add(key, `"${name}" is a built-in situation`, 'say it under "accepted" above')
  reading.references.push({ kind: 'situation', name, location: key })
  const common = { situation: name, ...originOf(value, defaults, key, reading), location: key }
  const several = member(value, 'by-protocol-version')
  const factOf = (node: Located): SituationFact => ({ ...common, ...readAlternatives(name, node, reading.findings) })
  if (!several) return { fact: factOf(value), versions: new Map() }
  const versions = entriesOf(several)
    .map((entry): [number, SituationFact] => [Number(entry.name), factOf(entry.value)])
    .sort(([a], [b]) => a - b)
  const [, highest] = versions.at(-1) ?? [0, factOf(value)]
  return { fact: highest, versions: new Map(versions) }
}

/** How a fact is known, and where it is from: as it says itself, or else its profile. */
export function originOf(
  node: Located,
  defaults: FactDefaults,
  location: Location,
  { findings }: Reading,
): { confidence: Confidence; source: string } {
  const source = optionalText(node, 'source') ?? defaults.source
  if (source === undefined)
    findings.add(location, 'nothing says where this was taken from', 'give "source", here or for the whole profile')
  return { confidence: confidenceOf(node) ?? defaults.confidence, source: source ?? '' }
}

export const confidenceOf = (node: Located): Confidence | undefined =>
  optionalText(node, 'confidence') as Confidence | undefined // the schema allows nothing else

/** The divergences that a situation names, those of single protocol versions included. */
export const divergencesNamedIn = (node: Located): Named[] =>
  versionsOf(node).flatMap((one) => namedAt(one, 'divergence'))

/** The codes of its refusals. */
export const codesNamedIn = (node: Located): Named[] =>
  versionsOf(node).flatMap((one) => rejectionsOf(one).flatMap((pattern) => namedAt(pattern, 'code')))

const versionsOf = (node: Located): Located[] => [
  node,
  ...entriesOf(member(node, 'by-protocol-version')).map(({ value }) => value),
]

function namedAt(node: Located, key: string): Named[] {
  const named = member(node, key)
  return named ? [{ name: textAt(node, key), location: named.location }] : []
}

function readAlternatives(
  name: string,
  node: Located,
  findings: FindingList,
): Pick<SituationFact, 'alternatives' | 'divergence'> {
  const alternatives: PermittedResponse[] = [
    ...(member(node, 'accepted') ? [{ name: 'accepted', outcome: 'accepted' } as const] : []),
    ...readRejections(node, findings),
  ]
  if (alternatives.length === 0) {
    const hint = 'give "accepted: true", "refused", or both'
    findings.add(node.location, `nothing is said of whether "${name}" is accepted or refused`, hint)
  }
  return { alternatives, ...given({ divergence: optionalText(node, 'divergence') }) }
}

function readRejections(node: Located, findings: FindingList): PermittedResponse[] {
  const names = new Set<string>(['accepted'])
  if (member(node, 'refused')?.content === true) return [{ name: 'refused', outcome: 'refused' }]
  return rejectionsOf(node).map((pattern): PermittedResponse => {
    const name = optionalText(pattern, 'name') ?? 'refused'
    if (names.has(name))
      findings.add(pattern.location, `another alternative is already called "${name}"`, 'choose another name')
    names.add(name)
    return { name, outcome: 'refused', ...readResponsePattern(pattern) }
  })
}

/** The looks of a refusal: one or several, or none where any refusal will do. */
function rejectionsOf(node: Located): Located[] {
  const refused = member(node, 'refused')
  if (!refused || refused.content === true) return []
  return Array.isArray(refused.content) ? itemsOf(refused) : [refused]
}
