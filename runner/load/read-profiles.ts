import { camelCased } from '../../lib/camel-case.js'
import { omitUndefined } from '../../lib/omit-undefined.js'
import { suggestion } from '../../lib/suggest.js'
import type { Confidence } from '../../record/types/resolved-row.js'
import type { Shapes } from '../suite/shapes.js'
import {
  accepted,
  type Divergence,
  type Format,
  type Listed,
  type Location,
  type PermittedResponse,
  type Profile,
  type ResponsePattern,
  type RowFact,
  type SituationFact,
  type SituationFacts,
} from '../suite/suite.js'
import { type Entry, entriesOf, locationOf, valueLocation } from '../yaml/locations.js'
import { patternOf, readMatcher, readMatchers } from './read-matcher.js'
import { addUnique, lineageOf, type Reading, usesIn } from './reading.js'

type ProfileShape = Shapes['profile']

/** Of the members of a profile and its ancestors. */
interface Inherited {
  /** From the outermost ancestor. */
  lineage: readonly ProfileShape[]
  codes: ReadonlyMap<string, ResponsePattern>
  /** Statuses of rejections without their own. */
  refused: string[]
  reading: Reading
}

/** Reports cycles, missing outcomes, and unknown divergences and codes. Omits profiles without both outcomes. */
export function readProfiles(reading: Reading): Map<string, Profile> {
  const profiles = new Map<string, Profile>()
  for (const entry of reading.profiles.values()) {
    const profile = readProfile(entry, reading)
    if (profile) profiles.set(entry.name, profile)
  }
  return profiles
}

function readProfile(entry: Entry<ProfileShape>, reading: Reading): Profile | undefined {
  const { name, value: own, location } = entry
  const ancestors = lineageOf(entry, reading.profiles, (cycle) =>
    reading.findings.add(location, `profiles extend each other in a cycle: ${cycle}`),
  )
  const lineage = (ancestors ?? [entry]).map(({ value }) => value)
  const last = <Name extends keyof ProfileShape>(member: Name): ProfileShape | undefined =>
    lineage.findLast((shape) => shape[member] !== undefined)
  const responses = { accepted: last('accepted'), refused: last('refused') }
  const { accepted: acceptedIn, refused: refusedIn } = responses
  const refused = patternOf(refusedIn?.refused ?? {})
  const codes = new Map(
    lineage.flatMap((shape) => entriesOf(shape.codes).map((one) => [one.name, patternOf(one.value)] as const)),
  )
  const inherited: Inherited = { lineage, codes, refused: refused.status ?? ['4xx'], reading }
  const situations = readSituations(inherited)
  const divergences = readDivergences(inherited)
  if (!ancestors) return undefined
  reportUnknown(own, location, inherited, [...divergences.keys()])
  if (!acceptedIn?.accepted || !refusedIn) {
    const missing = Object.entries(responses).flatMap(([outcome, from]) => (from ? [] : [outcome]))
    // Reported once, for the root profile.
    if (lineage.length === 1) {
      const message = `the profile "${name}" does not define ${missing.join(' and ')}`
      reading.findings.add(location, message, 'define it here, or extend a profile that defines it')
    }
    return undefined
  }
  return {
    name,
    title: own.title,
    ...omitUndefined({ line: own.line, statusesBy: last('statuses-by')?.['statuses-by'] }),
    basis: last('basis')?.basis ?? 'text',
    accepted: { ...patternOf(acceptedIn.accepted), confidence: confidenceIn(acceptedIn, lineage, 'accepted') },
    refused: { ...refused, confidence: confidenceIn(refusedIn, lineage, 'refused') },
    ...situations,
    formats: readFormats(inherited),
    codes,
    divergences: [...divergences.values()],
    location,
  }
}

function reportUnknown(
  own: ProfileShape,
  { file }: Location,
  { lineage, codes, reading }: Inherited,
  divergences: readonly string[],
): void {
  const ofKind = (wanted: string): Listed[] =>
    reading.references.filter(({ kind, location }) => kind === wanted && location.file === file)
  const report = (what: string, named: readonly Listed[], known: readonly string[]): void => {
    for (const { name, location } of named) {
      if (!known.includes(name)) reading.findings.add(location, `unknown ${what} "${name}"`, suggestion(name, known))
    }
  }
  report('divergence', ofKind('divergence'), divergences)
  // Otherwise situations define their codes completely.
  if (codes.size > 0) report('code', namedCodes(own), [...codes.keys()])
  const inheritable = lineage.flatMap(({ situations, formats, divergences: ids = [] }) => [
    ...Object.keys({ ...situations, ...formats }),
    ...ids.map(({ id }) => id),
  ])
  report('inherited fact', ofKind('inherited fact'), ['accepted', 'refused', ...inheritable])
}

/** In the situations of the profile. */
export const namedCodes = ({ situations }: ProfileShape): Listed[] =>
  Object.values(situations ?? {})
    .flatMap((shape) => [
      shape,
      ...Object.values(shape['by-protocol-version'] ?? {}),
      ...Object.values(shape['by-row'] ?? {}),
    ])
    .flatMap(rejectionsOf)
    .flatMap((pattern) =>
      pattern.code === undefined ? [] : [{ name: pattern.code, location: valueLocation(pattern, 'code') }],
    )

interface Origin {
  confidence: Confidence
  source: string
}

/** Below a profile read from source code, observations count as read. */
function originOf(
  fact: Partial<Origin>,
  name: string,
  location: Location,
  from: ProfileShape,
  { lineage, reading }: Inherited,
): Origin {
  const { confidence = from.confidence, source = from.source } = fact
  if (source === undefined) {
    const hint = 'add "source" here or at the top level of the profile'
    reading.findings.add(location, 'the source of this fact is missing', hint)
    return { confidence, source: '' }
  }
  return confidence === 'text' || !isReadIn(lineage.slice(lineage.indexOf(from) + 1), name)
    ? { confidence, source }
    : { confidence: 'read', source: `as ${from.profile} (${source})` }
}

const confidenceIn = (from: ProfileShape, lineage: readonly ProfileShape[], name: string): Confidence =>
  from.confidence === 'observed' && isReadIn(lineage, name) ? 'read' : from.confidence

const isReadIn = (profiles: readonly ProfileShape[], name: string): boolean =>
  profiles.some((one) => one.confidence === 'read' && !one['also-observed']?.includes(name))

function readDivergences(inherited: Inherited): Map<string, Divergence> {
  const { lineage, reading } = inherited
  const all = new Map<string, Divergence>()
  for (const from of lineage) {
    const own = new Map<string, Divergence>()
    for (const shape of from.divergences ?? []) {
      const location = locationOf(shape)
      reading.flows.push({ steps: [{ uses: [], captures: [], judging: usesIn(shape, 'expect') }] })
      const divergence: Divergence = {
        ...camelCased(shape),
        ...originOf(shape, shape.id, location, from, inherited),
        expect: readMatchers(shape.expect, reading.findings),
        location,
      }
      addUnique(own, divergence.id, divergence, 'divergence', reading.findings)
      all.set(divergence.id, divergence)
    }
  }
  return all
}

/** Only root profiles define formats. */
function readFormats({ lineage, reading: { findings } }: Inherited): Map<string, Format> {
  const [root] = lineage
  return new Map(
    entriesOf(root?.formats).map(({ name, value }): [string, Format] => {
      const owner = lineage.findLast(({ formats }) => formats && Object.hasOwn(formats, name))
      const matcher = readMatcher(owner?.formats?.[name] ?? value, findings)
      const confidence = owner ? confidenceIn(owner, lineage, name) : 'text'
      return [name, { matcher, text: readMatcher(value, findings), confidence }]
    }),
  )
}

function readSituations(inherited: Inherited): SituationFacts {
  const situations: Profile['situations'] = new Map()
  const versions: Profile['versions'] = new Map()
  for (const from of inherited.lineage) {
    for (const entry of entriesOf(from.situations)) {
      const byVersion = readSituation(entry, from, inherited)
      const [, highest] = byVersion.at(-1) ?? []
      if (highest) situations.set(entry.name, highest)
      versions.delete(entry.name)
      if (entry.value['by-protocol-version']) versions.set(entry.name, new Map(byVersion))
    }
  }
  return { situations, versions }
}

/** By protocol version, the highest last. A fact of all versions has the version 0. */
function readSituation(
  { name, value, location }: Entry<Shapes['situation']>,
  from: ProfileShape,
  inherited: Inherited,
): [version: number, fact: SituationFact][] {
  if (name === accepted) {
    const hint = 'use "accepted" at the top level of the profile'
    inherited.reading.findings.add(location, `"${name}" is a built-in situation`, hint)
  }
  const common = { situation: name, ...originOf(value, name, location, from, inherited), location }
  const rows = entriesOf(value['by-row'])
  const byRow = new Map(rows.map((row) => [row.name, readAlternatives(name, row.value, inherited)]))
  return Object.entries(value['by-protocol-version'] ?? { 0: value })
    .map(([version, outcome]): [number, SituationFact] => [
      Number(version),
      { ...common, ...readAlternatives(name, outcome, inherited), ...(byRow.size > 0 && { byRow }) },
    ])
    .sort(([a], [b]) => a - b)
}

function readAlternatives(name: string, shape: Shapes['outcome'], inherited: Inherited): RowFact {
  const { accepted: isAccepted, divergence } = shape
  const alternatives: PermittedResponse[] = [
    ...(isAccepted ? [{ name: 'accepted', outcome: 'accepted' } as const] : []),
    ...readRejections(shape, inherited),
  ]
  if (alternatives.length === 0) {
    const hint = 'add "accepted: true", "refused", or both'
    const message = `the profile does not define whether "${name}" is accepted or rejected`
    inherited.reading.findings.add(locationOf(shape), message, hint)
  }
  return { alternatives, ...omitUndefined({ divergence }) }
}

function readRejections(shape: Shapes['outcome'], inherited: Inherited): PermittedResponse[] {
  const names = new Set<string>(['accepted'])
  if (shape.refused === true) return [{ name: 'refused', outcome: 'refused' }]
  return rejectionsOf(shape).map((rejection): PermittedResponse => {
    const { name = 'refused' } = rejection
    if (names.has(name)) {
      const message = `another alternative has the name "${name}"`
      inherited.reading.findings.add(locationOf(rejection), message, 'choose another name')
    }
    names.add(name)
    return { name, outcome: 'refused', ...completePattern(patternOf(rejection), inherited) }
  })
}

/** None if any rejection is permitted. */
const rejectionsOf = ({ refused }: Shapes['outcome']): Partial<Shapes['named-pattern']>[] =>
  refused === undefined || refused === true ? [] : [refused].flat()

function completePattern(own: ResponsePattern, { codes, refused: status }: Inherited): ResponsePattern {
  if (Object.keys(own).length === 0) return own
  const common = own.code === undefined ? undefined : codes.get(own.code)
  // Only JSON bodies have a code.
  return { status, ...(common && { mediaType: 'application/json', ...common }), ...own }
}
