/** Combines the files of a suite. */
import type { OperationName } from '../../interface/operations.js'
import type { Data } from '../../record/types/resolved-row.js'
import {
  type Actor,
  accepted,
  type BaseRequest,
  type Case,
  type Listed,
  type Location,
  type Probe,
  type RightName,
  type Situation,
  type Suite,
  type TokenVariant,
} from '../suite/suite.js'
import { type ShapedFile, validEntries, validItems } from '../yaml/check-shape.js'
import {
  dataOf,
  type Entry,
  entriesOf,
  entry,
  itemsOf,
  type Located,
  mapOf,
  member,
  omitUndefined,
  optionalText,
  textAt,
  textOf,
} from '../yaml/located.js'
import type { FileKind } from '../yaml/schemas.js'
import { checkSuite } from './check-suite.js'
import { collectRules } from './collect-rules.js'
import { stepsAt } from './expand-sequences.js'
import { inheritProfiles } from './inherit-profiles.js'
import { readCase } from './read-cases.js'
import { readFixture } from './read-fixtures.js'
import { readRules } from './read-matcher.js'
import { type ProfileText, readProfile } from './read-profiles.js'
import { expectsSomething, flowStep, readSteps, toStep } from './read-step.js'
import { addUnique, lineageOf, type Reading, type ReferenceKind, refer } from './reading.js'
import { usesIn } from './variable-flow.js'

/**
 * Combines the files and checks their references. `unreadable`: kinds of files with unreadable parts, whose missing names are
 * not reported.
 */
export function assembleSuite(
  files: readonly ShapedFile[],
  unreadable: ReadonlySet<string>,
  collected: Omit<Reading, 'sequences'>,
): Omit<Suite, 'digest'> {
  const from = (kind: FileKind, name: string): Entry[] =>
    files.filter((file) => file.kind === kind).flatMap((file) => validEntries(file, name))
  const reading = { ...collected, sequences: sequencesIn(from('sequences', 'sequences')) }
  const texts = collectProfiles(files, reading)
  const probes = from('probes', 'probes')
  const suite = {
    version: files.filter(isSound('suite')).map(({ root }) => textAt(root, 'version'))[0] ?? '',
    gaps: files.filter(isSound('suite')).map(({ root }) => readGaps(root, reading))[0] ?? noGaps(),
    ...collectRules(files, reading),
    situations: collect(from('situations', 'situations'), 'situation', readSituation, reading),
    profiles: inheritProfiles(texts, reading.findings),
    requests: collect(from('requests', 'requests'), 'request', readRequest, reading),
    actors: collect(from('actors', 'actors'), 'actor', readActor, reading),
    tokens: collect(from('actors', 'tokens'), 'token', readToken, reading),
    fixtures: collect(from('fixtures', 'fixtures'), 'fixture', readFixture, reading),
    probes: collect(extendProbes(probes, reading), 'probe', readProbe, reading),
    cases: collectCases(files, reading),
  }
  // An unreadable profile or probe still defines its name.
  const names = { profiles: texts, probes: probes.map(({ name }) => name) }
  checkSuite(suite, names, unreadable, reading)
  return suite
}

function collect<Value extends { location: Location }>(
  entries: readonly Entry[],
  what: string,
  read: (entry: Entry, reading: Reading) => Value,
  reading: Reading,
): Map<string, Value> {
  const map = new Map<string, Value>()
  for (const entry of entries) addUnique(map, entry.name, read(entry, reading), what, reading.findings)
  return map
}

const sequencesIn = (entries: readonly Entry[]): Reading['sequences'] =>
  new Map(entries.map(({ name, key, value }) => [name, { steps: itemsOf(member(value, 'steps')), location: key }]))

const noGaps = (): Suite['gaps'] => ({ rules: new Map(), situations: [] })

function collectProfiles(files: readonly ShapedFile[], reading: Reading): Map<string, ProfileText> {
  const texts = new Map<string, ProfileText>()
  for (const { root } of files.filter(isSound('profile'))) {
    const text = readProfile(root, reading)
    addUnique(texts, text.name, text, 'profile', reading.findings)
  }
  return texts
}

function collectCases(files: readonly ShapedFile[], reading: Reading): Case[] {
  const cases = new Map<string, Case>()
  for (const file of files.filter(({ kind }) => kind === 'cases')) {
    const nodes = validItems(file, 'cases')
    if (nodes.length === 0) continue
    reportOtherFolder(file, reading)
    for (const { operation, names } of variantsOf(file.root)) {
      for (const item of nodes) {
        const found = readCase(fillNames(item, names), file.root, operation, reading)
        if (found) addUnique(cases, found.id, found, 'case', reading.findings)
      }
    }
  }
  return [...cases.values()]
}

/** A file for one operation is in the folder of that name. */
function reportOtherFolder({ file, root }: ShapedFile, reading: Reading): void {
  const node = member(root, 'operation')
  const folder = file.name.split('/')[1]
  if (!node || folder === textOf(node)) return
  const message = `the operation is "${textOf(node)}", but the folder is "${folder}"`
  reading.findings.add(node.location, message, `move the file to the folder "${textOf(node)}"`)
}

const isSound =
  (kind: FileKind) =>
  (file: ShapedFile): boolean =>
    file.kind === kind && file.broken.size === 0

function readSituation({ name, key, value }: Entry, { findings }: Reading): Situation {
  if (name === accepted) findings.add(key, `"${name}" is a built-in situation`, 'choose another name')
  return { name, meaning: textOf(value), location: key }
}

/** The rules and situations without cases that suite.yaml lists. */
function readGaps(root: Located, reading: Reading): Suite['gaps'] {
  const listed = (kind: ReferenceKind, node: Located | undefined): Listed[] =>
    itemsOf(node).map((item) => ({ name: refer(reading, kind, item), location: item.location }))
  const rules = entriesOf(member(root, 'cases-not-written-yet'))
  return {
    rules: new Map(rules.map(({ name, value }) => [name as OperationName, listed('rule', value)])), // by schema
    situations: listed('situation', member(root, 'situations-not-used-yet')),
  }
}

function readRequest({ name, key, value }: Entry, reading: Reading): BaseRequest {
  const params = member(value, 'params')
  const query = member(value, 'query')
  const body = member(value, 'body')
  reading.requestUses.set(name, [...usesIn(params), ...usesIn(query), ...usesIn(body)])
  return {
    name,
    operation: textAt(value, 'operation'),
    ...omitUndefined({
      as: refer(reading, 'actor', member(value, 'as')),
      params: params && textsIn(params),
      query: query && textsIn(query),
      body: body && dataOf(body),
      presignable: member(value, 'presignable') && (true as const), // by schema
    }),
    location: key,
  }
}

const textsIn = (node: Located): Record<string, string> =>
  Object.fromEntries(entriesOf(node).map(({ name, value }) => [name, textOf(value)]))

function readProbe({ name, key, value }: Entry, reading: Reading): Probe {
  const before = stepsAt(value, 'before', reading)
  const after = stepsAt(value, 'after', reading)
  const later = stepsAt(value, 'after-acceptance', reading)
  for (const branch of [after, later]) {
    reading.flows.push({ steps: [...before, ...branch].map(flowStep), ofProbe: name })
  }
  const steps = readSteps([...before, ...after, ...later], reading).map(toStep)
  const probe: Probe = {
    name,
    statement: textAt(value, 'statement'),
    rules: readRules(member(value, 'rules'), reading),
    before: steps.slice(0, before.length),
    after: steps.slice(before.length, before.length + after.length),
    afterAcceptance: steps.slice(before.length + after.length),
    location: key,
  }
  const branches = [probe.after, ...(later.length > 0 ? [probe.afterAcceptance] : [])]
  if (!branches.every((branch) => branch.some(expectsSomething))) {
    const message = `the probe "${name}" has no expectation after the row`
    reading.findings.add(key, message, 'add "outcome" or "expect" to a step')
  }
  return probe
}

/** Merges each probe over the probes that it extends. Omits and reports a probe that extends an unknown probe or itself. */
function extendProbes(probes: readonly Entry[], reading: Reading): Entry[] {
  const byName = new Map(probes.map((probe) => [probe.name, probe]))
  return probes.flatMap((probe) => {
    const parentOf = ({ value }: Entry): string | undefined => refer(reading, 'probe', member(value, 'extends'))
    const lineage = lineageOf(probe, parentOf, byName, (cycle) =>
      reading.findings.add(
        entry(probe.value, 'extends')?.key ?? probe.key,
        `probes extend each other in a cycle: ${cycle}`,
      ),
    )
    if (!lineage) return []
    const entries = lineage.flatMap(({ value }) => entriesOf(value).filter(({ name }) => name !== 'extends'))
    return [{ ...probe, value: { ...probe.value, content: mapOf(entries) } }]
  })
}

/** A file of cases for several operations is read once for each of them. */
interface Variant {
  operation: string
  names: ReadonlyMap<string, string>
}

function variantsOf(root: Located): Variant[] {
  const several = entriesOf(member(root, 'operations'))
  if (several.length === 0) return [{ operation: textAt(root, 'operation'), names: new Map() }]
  return several.map(({ name, value }) => ({
    operation: name,
    names: new Map(entriesOf(value).map((item) => [item.name, textOf(item.value)])),
  }))
}

function fillNames(node: Located, names: ReadonlyMap<string, string>): Located {
  if (names.size === 0) return node
  const { location, content } = node
  if (typeof content === 'string') return { location, content: fillText(content, names) }
  if (Array.isArray(content)) return { location, content: content.map((item) => fillNames(item, names)) }
  if (!(content instanceof Map)) return node
  const filled = [...content.values()].map(
    ({ name, key, value }): Entry => ({ name: fillText(name, names), key, value: fillNames(value, names) }),
  )
  return { location, content: mapOf(filled) }
}

/** `${name}` is a variable of the run and stays. */
const fillText = (text: string, names: ReadonlyMap<string, string>): string =>
  text.replace(/(?<!\$)\{([a-z-]+)\}/g, (whole, name: string) => names.get(name) ?? whole)

function readActor({ name, key, value }: Entry, reading: Reading): Actor {
  const rights = itemsOf(member(value, 'rights'))
  for (const right of rights) {
    const [, party] = textOf(right).split(' ')
    if (party !== undefined) reading.references.push({ kind: 'party', name: party, location: right.location })
  }
  return { name, rights: rights.map(rightOf), ...(member(value, 'apart') && { apart: true }), location: key }
}

function readToken({ name, key, value }: Entry, reading: Reading): TokenVariant {
  const claims = member(value, 'claims')
  reading.flows.push({ steps: [{ uses: usesIn(claims), captures: [], judging: [] }] })
  return {
    name,
    meaning: textAt(value, 'meaning'),
    ...(member(value, 'none') && { none: true }),
    ...omitUndefined({
      header: optionalText(value, 'header'),
      claims: claims && claimsOf(claims),
      secret: optionalText(value, 'secret'),
      algorithm: optionalText(value, 'algorithm'),
      scheme: optionalText(value, 'scheme'),
    }),
    location: key,
  }
}

const rightOf = (node: Located): RightName => textOf(node) as RightName // by schema

const claimsOf = (node: Located): Record<string, Data> =>
  Object.fromEntries(entriesOf(node).map(({ name, value }) => [name, dataOf(value)]))
