/** Reads the situations of a profile file. */
import type { Confidence } from '../../record/types/resolved-row.js'
import { accepted, type Location, type PermittedResponse, type SituationFact } from '../suite/suite.js'
import type { FindingList } from '../yaml/finding-list.js'
import {
  type Entry,
  entriesOf,
  itemsOf,
  type Located,
  member,
  omitUndefined,
  optionalText,
  textAt,
} from '../yaml/located.js'
import { readResponsePattern } from './read-response-pattern.js'
import type { Reading } from './reading.js'

/** One situation of a file, without the common properties of its codes. */
export interface SituationText {
  /** For the highest protocol version, or for all versions. */
  fact: SituationFact
  /** By protocol version, if it matters. */
  versions: Map<number, SituationFact>
}

/** Defaults of a profile for its facts. */
export interface FactDefaults {
  confidence: Confidence
  source?: string
}

/** A reference in a situation. */
export interface Named {
  name: string
  location: Location
}

export function readSituationFact(
  { name, key, value }: Entry,
  defaults: FactDefaults,
  reading: Reading,
): SituationText {
  if (name === accepted)
    reading.findings.add(key, `"${name}" is a built-in situation`, 'use "accepted" at the top level of the profile')
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

export function originOf(
  node: Located,
  defaults: FactDefaults,
  location: Location,
  { findings }: Reading,
): { confidence: Confidence; source: string } {
  const source = optionalText(node, 'source') ?? defaults.source
  if (source === undefined)
    findings.add(location, 'the source of this fact is missing', 'add "source" here or at the top level of the profile')
  return { confidence: confidenceOf(node) ?? defaults.confidence, source: source ?? '' }
}

export const confidenceOf = (node: Located): Confidence | undefined =>
  optionalText(node, 'confidence') as Confidence | undefined // by schema

/** Includes those of single protocol versions. */
export const divergencesNamedIn = (node: Located): Named[] =>
  versionsOf(node).flatMap((one) => namedAt(one, 'divergence'))

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
    const hint = 'add "accepted: true", "refused", or both'
    findings.add(node.location, `the profile does not define whether "${name}" is accepted or rejected`, hint)
  }
  return { alternatives, ...omitUndefined({ divergence: optionalText(node, 'divergence') }) }
}

function readRejections(node: Located, findings: FindingList): PermittedResponse[] {
  const names = new Set<string>(['accepted'])
  if (member(node, 'refused')?.content === true) return [{ name: 'refused', outcome: 'refused' }]
  return rejectionsOf(node).map((pattern): PermittedResponse => {
    const name = optionalText(pattern, 'name') ?? 'refused'
    if (names.has(name))
      findings.add(pattern.location, `another alternative has the name "${name}"`, 'choose another name')
    names.add(name)
    return { name, outcome: 'refused', ...readResponsePattern(pattern) }
  })
}

/** The patterns of the rejection; none if any rejection is permitted. */
function rejectionsOf(node: Located): Located[] {
  const refused = member(node, 'refused')
  if (!refused || refused.content === true) return []
  return Array.isArray(refused.content) ? itemsOf(refused) : [refused]
}
