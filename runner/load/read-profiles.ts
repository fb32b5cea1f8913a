import { type CamelCased, camelCased } from '../../lib/camel-case.js'
import { omitUndefined } from '../../lib/omit-undefined.js'
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
  type RowFact,
  type SituationFact,
} from '../suite/suite.js'
import { type Entry, entriesOf } from '../yaml/entries.js'
import type { FindingList } from '../yaml/findings.js'
import { locationOf, valueLocation } from '../yaml/locations.js'
import { patternOf, readMatchers } from './read-matcher.js'
import { addUnique, type Reading, usesIn } from './reading.js'

type Read = 'profile' | 'accepted' | 'refused' | 'formats' | 'codes' | 'situations' | 'divergences'

export interface ProfileText extends Omit<CamelCased<Shapes['profile']>, Read> {
  name: string
  accepted?: ResponsePattern
  refused?: ResponsePattern
  formats: Map<string, Matcher>
  codes: Map<string, { pattern: ResponsePattern; location: Location }>
  situations: Map<string, SituationText>
  divergences: Divergence[]
  namedCodes: Listed[]
  location: Location
}

export function readProfile(shape: Shapes['profile'], reading: Reading): ProfileText {
  const { profile: name, accepted, refused, formats, codes, situations, divergences, ...plain } = camelCased(shape)
  const facts = entriesOf(situations)
  return {
    ...plain,
    name,
    ...(accepted && { accepted: patternOf(accepted) }),
    ...(refused && { refused: patternOf(refused) }),
    formats: readMatchers(formats, reading.findings),
    codes: new Map(
      entriesOf(codes).map(({ name, value, location }) => [name, { pattern: patternOf(value), location }]),
    ),
    situations: new Map(facts.map((one) => [one.name, readSituationFact(one, plain, reading.findings)])),
    divergences: readDivergences(divergences ?? [], plain, reading),
    namedCodes: facts.flatMap(({ value }) => versionsOf(value).flatMap(rejectionsOf).flatMap(codeOf)),
    location: valueLocation(shape, 'profile'),
  }
}

function readDivergences(shapes: readonly Shapes['divergence'][], defaults: FactDefaults, reading: Reading) {
  const known = new Map<string, Divergence>()
  return shapes.map((shape) => {
    const location = locationOf(shape)
    reading.flows.push({ steps: [{ uses: [], captures: [], judging: usesIn(shape, 'expect') }] })
    const divergence: Divergence = {
      ...camelCased(shape),
      ...originOf(shape, defaults, location, reading.findings),
      expect: readMatchers(shape.expect, reading.findings),
      location,
    }
    addUnique(known, divergence.id, divergence, 'divergence', reading.findings)
    return divergence
  })
}

interface SituationText {
  /** For the highest or for all protocol versions. */
  fact: SituationFact
  /** By protocol version. */
  versions: Map<number, SituationFact>
}

type FactDefaults = Pick<ProfileText, 'confidence' | 'source'>

function readSituationFact(
  { name, value, location }: Entry<Shapes['situation']>,
  defaults: FactDefaults,
  findings: FindingList,
): SituationText {
  if (name === accepted)
    findings.add(location, `"${name}" is a built-in situation`, 'use "accepted" at the top level of the profile')
  const common = { situation: name, ...originOf(value, defaults, location, findings), location }
  const rows = entriesOf(value['by-row'])
  const byRow = new Map(rows.map((row) => [row.name, readAlternatives(name, row.value, findings)]))
  const factOf = (outcome: Shapes['outcome']): SituationFact => ({
    ...common,
    ...readAlternatives(name, outcome, findings),
    ...(byRow.size > 0 && { byRow }),
  })
  const several = value['by-protocol-version']
  if (!several) return { fact: factOf(value), versions: new Map() }
  const versions = Object.entries(several)
    .map(([version, outcome]): [number, SituationFact] => [Number(version), factOf(outcome)])
    .sort(([a], [b]) => a - b)
  const [, highest] = versions.at(-1) ?? [0, factOf(value)]
  return { fact: highest, versions: new Map(versions) }
}

function originOf(
  { confidence, source }: Shapes['situation'] | Shapes['divergence'],
  defaults: FactDefaults,
  location: Location,
  findings: FindingList,
): { confidence: Confidence; source: string } {
  const stated = source ?? defaults.source
  if (stated === undefined)
    findings.add(location, 'the source of this fact is missing', 'add "source" here or at the top level of the profile')
  return { confidence: confidence ?? defaults.confidence, source: stated ?? '' }
}

const versionsOf = (shape: Shapes['situation']): Shapes['outcome'][] => [
  shape,
  ...Object.values(shape['by-protocol-version'] ?? {}),
  ...Object.values(shape['by-row'] ?? {}),
]

const codeOf = (pattern: Partial<Shapes['named-pattern']>): Listed[] =>
  pattern.code === undefined ? [] : [{ name: pattern.code, location: valueLocation(pattern, 'code') }]

function readAlternatives(name: string, shape: Shapes['outcome'], findings: FindingList): RowFact {
  const { accepted: isAccepted, divergence } = shape
  const alternatives: PermittedResponse[] = [
    ...(isAccepted ? [{ name: 'accepted', outcome: 'accepted' } as const] : []),
    ...readRejections(shape, findings),
  ]
  if (alternatives.length === 0) {
    const hint = 'add "accepted: true", "refused", or both'
    const message = `the profile does not define whether "${name}" is accepted or rejected`
    findings.add(locationOf(shape), message, hint)
  }
  return { alternatives, ...omitUndefined({ divergence }) }
}

function readRejections(shape: Shapes['outcome'], findings: FindingList): PermittedResponse[] {
  const names = new Set<string>(['accepted'])
  if (shape.refused === true) return [{ name: 'refused', outcome: 'refused' }]
  return rejectionsOf(shape).map((pattern): PermittedResponse => {
    const { name = 'refused' } = pattern
    if (names.has(name))
      findings.add(locationOf(pattern), `another alternative has the name "${name}"`, 'choose another name')
    names.add(name)
    return { name, outcome: 'refused', ...patternOf(pattern) }
  })
}

/** None if any rejection is permitted. */
const rejectionsOf = ({ refused }: Shapes['outcome']): Partial<Shapes['named-pattern']>[] =>
  refused === undefined || refused === true ? [] : [refused].flat()
