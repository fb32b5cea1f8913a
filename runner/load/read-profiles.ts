import { type CamelCased, camelCased } from '../../lib/camel-case.js'
import type { Confidence } from '../../record/types/resolved-row.js'
import type { Shapes } from '../suite/shapes.js'
import {
  accepted,
  type Divergence,
  type Listed,
  type Location,
  type Matcher,
  type PermittedResponse,
  type ResponsePattern,
  type SituationFact,
} from '../suite/suite.js'
import type { FindingList } from '../yaml/findings.js'
import { dataOf, type Entry, entriesOf, itemsOf, type Located, member, omitUndefined } from '../yaml/located.js'
import { patternOf, readMatchers } from './read-matcher.js'
import { addUnique, type Reading, refer, usesIn } from './reading.js'

type Read = 'profile' | 'accepted' | 'refused' | 'formats' | 'codes' | 'situations' | 'divergences'

export interface ProfileText extends Omit<CamelCased<Shapes['profile']>, Read> {
  name: string
  accepted?: ResponsePattern
  refused?: ResponsePattern
  formats: Map<string, Matcher>
  codes: Map<string, { pattern: ResponsePattern; location: Location }>
  situations: Map<string, SituationText>
  divergences: Divergence[]
  named: { divergences: Listed[]; codes: Listed[]; alsoObserved: Listed[] }
  location: Location
}

export function readProfile(root: Located<Shapes['profile']>, reading: Reading): ProfileText {
  const {
    profile: name,
    accepted,
    refused,
    formats,
    codes,
    situations,
    divergences,
    ...plain
  } = camelCased(dataOf(root))
  const facts = entriesOf(member(root, 'situations'))
  refer(reading, 'profile', member(root, 'extends'))
  return {
    ...plain,
    name,
    ...(accepted && { accepted: patternOf(accepted) }),
    ...(refused && { refused: patternOf(refused) }),
    formats: readMatchers(member(root, 'formats'), reading),
    codes: new Map(
      entriesOf(member(root, 'codes')).map((code) => [
        code.name,
        { pattern: patternOf(dataOf(code.value)), location: code.key },
      ]),
    ),
    situations: new Map(facts.map((one) => [one.name, readSituationFact(one, plain, reading)])),
    divergences: readDivergences(member(root, 'divergences'), plain, reading),
    named: {
      divergences: facts.flatMap(({ value }) => divergencesNamedIn(value)),
      codes: facts.flatMap(({ value }) => codesNamedIn(value)),
      alsoObserved: itemsOf(member(root, 'also-observed')).map((item) => ({
        name: dataOf(item),
        location: item.location,
      })),
    },
    location: member(root, 'profile')?.location ?? root.location,
  }
}

function readDivergences(list: Located<Shapes['divergence'][]> | undefined, defaults: FactDefaults, reading: Reading) {
  const known = new Map<string, Divergence>()
  return itemsOf(list).map((node) => {
    const { location } = node
    refer(reading, 'rule', member(node, 'rule'))
    for (const situation of itemsOf(member(node, 'situations'))) refer(reading, 'situation', situation)
    reading.flows.push({ steps: [{ uses: [], captures: [], judging: usesIn(member(node, 'expect')) }] })
    const divergence: Divergence = {
      ...camelCased(dataOf(node)),
      ...originOf(node, defaults, location, reading),
      expect: readMatchers(member(node, 'expect'), reading),
      location,
    }
    addUnique(known, divergence.id, divergence, 'divergence', reading.findings)
    return divergence
  })
}

type OutcomeNode = Located<Shapes['outcome']>
type SituationNode = Located<Shapes['situation']>

interface SituationText {
  /** For the highest or for all protocol versions. */
  fact: SituationFact
  /** By protocol version. */
  versions: Map<number, SituationFact>
}

type FactDefaults = Pick<ProfileText, 'confidence' | 'source'>

function readSituationFact(
  { name, key, value }: Entry<Shapes['situation']>,
  defaults: FactDefaults,
  reading: Reading,
): SituationText {
  if (name === accepted)
    reading.findings.add(key, `"${name}" is a built-in situation`, 'use "accepted" at the top level of the profile')
  reading.references.push({ kind: 'situation', name, location: key })
  const common = { situation: name, ...originOf(value, defaults, key, reading), location: key }
  const several = member(value, 'by-protocol-version')
  const rows = entriesOf(member(value, 'by-row'))
  for (const row of rows) reading.references.push({ kind: 'row', name: row.name, location: row.key })
  const byRow = new Map(rows.map((row) => [row.name, readAlternatives(name, row.value, reading.findings)]))
  const factOf = (node: OutcomeNode): SituationFact => ({
    ...common,
    ...readAlternatives(name, node, reading.findings),
    ...(byRow.size > 0 && { byRow }),
  })
  if (!several) return { fact: factOf(value), versions: new Map() }
  const versions = entriesOf(several)
    .map((entry): [number, SituationFact] => [Number(entry.name), factOf(entry.value)])
    .sort(([a], [b]) => a - b)
  const [, highest] = versions.at(-1) ?? [0, factOf(value)]
  return { fact: highest, versions: new Map(versions) }
}

function originOf(
  node: Located<Shapes['situation'] | Shapes['divergence']>,
  defaults: FactDefaults,
  location: Location,
  { findings }: Reading,
): { confidence: Confidence; source: string } {
  const { confidence = defaults.confidence, source = defaults.source } = dataOf(node)
  if (source === undefined)
    findings.add(location, 'the source of this fact is missing', 'add "source" here or at the top level of the profile')
  return { confidence, source: source ?? '' }
}

const divergencesNamedIn = (node: SituationNode): Listed[] =>
  versionsOf(node).flatMap((one) => named(member(one, 'divergence')))

const codesNamedIn = (node: SituationNode): Listed[] =>
  versionsOf(node).flatMap((one) => rejectionsOf(one).flatMap((pattern) => named(member(pattern, 'code'))))

const versionsOf = (node: SituationNode): OutcomeNode[] => [
  node,
  ...entriesOf(member(node, 'by-protocol-version')).map(({ value }) => value),
  ...entriesOf(member(node, 'by-row')).map(({ value }) => value),
]

const named = (node: Located<string> | undefined): Listed[] =>
  node ? [{ name: dataOf(node), location: node.location }] : []

function readAlternatives(
  name: string,
  node: OutcomeNode,
  findings: FindingList,
): Pick<SituationFact, 'alternatives' | 'divergence'> {
  const { accepted: isAccepted, divergence } = dataOf(node)
  const alternatives: PermittedResponse[] = [
    ...(isAccepted ? [{ name: 'accepted', outcome: 'accepted' } as const] : []),
    ...readRejections(node, findings),
  ]
  if (alternatives.length === 0) {
    const hint = 'add "accepted: true", "refused", or both'
    findings.add(node.location, `the profile does not define whether "${name}" is accepted or rejected`, hint)
  }
  return { alternatives, ...omitUndefined({ divergence }) }
}

function readRejections(node: OutcomeNode, findings: FindingList): PermittedResponse[] {
  const names = new Set<string>(['accepted'])
  if (dataOf(node).refused === true) return [{ name: 'refused', outcome: 'refused' }]
  return rejectionsOf(node).map((pattern): PermittedResponse => {
    const data = dataOf(pattern)
    const { name = 'refused' } = data
    if (names.has(name))
      findings.add(pattern.location, `another alternative has the name "${name}"`, 'choose another name')
    names.add(name)
    return { name, outcome: 'refused', ...patternOf(data) }
  })
}

/** None if any rejection is permitted. */
function rejectionsOf(node: OutcomeNode): Located<Partial<Shapes['named-pattern']>>[] {
  const refused = member(node, 'refused')
  if (!refused || refused.content === true) return []
  const patterns = Array.isArray(refused.content) ? refused.content : [refused]
  return patterns as Located<Partial<Shapes['named-pattern']>>[] // by schema
}
