import { join } from 'node:path'
import type { OperationName } from '../../interface/operations.js'
import { camelCased } from '../../lib/camel-case.js'
import { suggestion } from '../../lib/suggest.js'
import type { Shapes } from '../suite/shapes.js'
import {
  type Actor,
  accepted,
  type BaseRequest,
  type Case,
  type Location,
  type Passage,
  type ProfileFile,
  type RightName,
  type Rule,
  type Section,
  type Situation,
  type Suite,
  type TokenVariant,
  type UnspecifiedBehaviour,
} from '../suite/suite.js'
import { generatorNames } from '../template/variables.js'
import { checkShape, entriesIn, filesOf, type ShapedFile, validItems } from '../yaml/check-shape.js'
import { FindingList, FindingsError } from '../yaml/findings.js'
import { dataOf, type Entry, entriesOf, itemsOf, type Located, mapOf, member } from '../yaml/located.js'
import { parseYaml } from '../yaml/parse-yaml.js'
import { loadSchemas, type ShapeCheck, type SuiteFile, shownPath, suiteDigest, textsOf } from '../yaml/suite-files.js'
import { checkSuite } from './check-suite.js'
import { inheritProfiles } from './inherit-profiles.js'
import { readCase } from './read-cases.js'
import { extendProbes, readFixture, readProbe } from './read-fixtures.js'
import { type ProfileText, readProfile } from './read-profiles.js'
import { addUnique, type Reading, refer, usesIn } from './reading.js'

interface Shaped {
  files: readonly ShapedFile[]
  /** Kinds of files that could not be read completely. */
  unreadable: ReadonlySet<string>
  reading: Omit<Reading, 'sequences'>
  texts: ReadonlyMap<string, string>
}

const ownFile = ({ path, text }: ProfileFile): SuiteFile => ({ name: path, kind: 'profile', text })

async function readFiles(folder: string, files: readonly SuiteFile[], profile?: ProfileFile): Promise<Shaped> {
  const check = await loadSchemas()
  const all = profile ? [...files, ownFile(profile)] : files
  const texts = textsOf(all)
  const findings = new FindingList(texts, (name) => shownPath(name === profile?.path ? name : join(folder, name)))
  const shaped = all.flatMap((file) => shape(file, check, findings))
  const reading = { findings, references: [], flows: [], requestUses: new Map() }
  return { files: shaped, unreadable: unreadable(all, shaped), reading, texts }
}

function expectNone(findings: FindingList): void {
  const found = findings.sorted()
  if (found.length > 0) throw new FindingsError('suite', found)
}

/** Rejects with `FindingsError`, without consequences of unreadable files. */
export async function readSuite(folder: string, files: readonly SuiteFile[], profile?: ProfileFile): Promise<Suite> {
  const { files: shaped, unreadable, reading, texts } = await readFiles(folder, files, profile)
  if (!files.some(({ kind }) => kind === 'suite')) {
    reading.findings.add(
      start('suite.yaml'),
      'the suite has no suite.yaml',
      'create it with the content: version: 0.1.0',
    )
  }
  const suite = assembleSuite(shaped, unreadable, reading)
  expectNone(reading.findings)
  return { ...suite, profiles: withFile(suite.profiles, profile), digest: suiteDigest(files), folder, texts }
}

/** Reads only the profiles: the other parts of a compiled suite are valid. Rejects with `FindingsError`. */
export async function addProfile(suite: Suite, files: readonly SuiteFile[], profile: ProfileFile): Promise<Suite> {
  const ofProfiles = files.filter(({ kind }) => kind === 'profile')
  const { files: shaped, unreadable, reading } = await readFiles(suite.folder ?? '', ofProfiles, profile)
  const read: Reading = { ...reading, sequences: new Map() }
  const texts = collectProfiles(shaped, read)
  const profiles = inheritProfiles(texts, read.findings)
  checkSuite({ ...suite, profiles }, { profiles: texts, probes: [...suite.probes.keys()] }, unreadable, read)
  expectNone(read.findings)
  return { ...suite, profiles: withFile(profiles, profile), texts: textsOf([...files, ownFile(profile)]) }
}

const withFile = (profiles: Suite['profiles'], file: ProfileFile | undefined): Suite['profiles'] =>
  new Map(
    [...profiles].map(([name, profile]) => [
      name,
      file && profile.location.file === file.path ? { ...profile, file } : profile,
    ]),
  )

const start = (file: string): Location => ({ file, line: 1, column: 1 })

function shape(file: SuiteFile, check: ShapeCheck, findings: FindingList): ShapedFile[] {
  const { name, kind, text } = file
  if (kind === undefined) {
    const hint =
      'suite files are suite.yaml, outline.yaml, situations.yaml, sequences.yaml, requests.yaml, actors.yaml, fixtures.yaml, probes.yaml, rules/*.yaml, profiles/*.yaml, requests/*.yaml, fixtures/*.yaml and cases/<operation>/*.yaml'
    findings.add(start(name), 'suites have no file of this name', hint)
    return []
  }
  const root = parseYaml(name, text, findings)
  if (root) checkGenerators(root, findings)
  return root ? [checkShape({ file, kind, root }, check, findings)] : []
}

function unreadable(files: readonly SuiteFile[], shaped: readonly ShapedFile[]): Set<string> {
  const sound = new Set(shaped.filter(({ broken }) => broken.size === 0).map(({ file }) => file))
  return new Set(files.filter((file) => !sound.has(file)).map(({ kind }) => kind ?? ''))
}

/** Such as `$repaet`. */
function checkGenerators({ content }: Located, findings: FindingList): void {
  if (Array.isArray(content)) for (const item of content) checkGenerators(item, findings)
  if (!(content instanceof Map)) return
  for (const { name, key, value } of content.values()) {
    if (/^\$(?!\{)/.test(name) && !generatorNames.includes(name)) {
      findings.add(key, `unknown generator "${name}"`, suggestion(name, generatorNames))
    }
    checkGenerators(value, findings)
  }
}

/** `unreadable`: missing names of these kinds of files are not reported. */
function assembleSuite(
  files: readonly ShapedFile[],
  unreadable: ReadonlySet<string>,
  collected: Omit<Reading, 'sequences'>,
): Omit<Suite, 'digest'> {
  const reading = { ...collected, sequences: sequencesIn(entriesIn(files, 'sequences', 'sequences')) }
  const texts = collectProfiles(files, reading)
  const probes = entriesIn(files, 'probes', 'probes')
  const [head] = filesOf(files, 'suite').filter(isSound)
  const suite = {
    version: head ? dataOf(head.root).version : '',
    ...collectRules(files, reading),
    situations: collect(entriesIn(files, 'situations', 'situations'), 'situation', readSituation, reading),
    profiles: inheritProfiles(texts, reading.findings),
    requests: collect(entriesIn(files, 'requests', 'requests'), 'request', readRequest, reading),
    actors: collect(entriesIn(files, 'actors', 'actors'), 'actor', readActor, reading),
    tokens: collect(entriesIn(files, 'actors', 'tokens'), 'token', readToken, reading),
    fixtures: collect(entriesIn(files, 'fixtures', 'fixtures'), 'fixture', readFixture, reading),
    probes: collect(extendProbes(probes, reading), 'probe', readProbe, reading),
    cases: collectCases(files, reading),
  }
  const names = { profiles: texts, probes: probes.map(({ name }) => name) }
  checkSuite(suite, names, unreadable, reading)
  return suite
}

function collect<Shape, Value extends { location: Location }>(
  entries: readonly Entry<Shape>[],
  what: string,
  read: (entry: Entry<Shape>, reading: Reading) => Value,
  reading: Reading,
): Map<string, Value> {
  const map = new Map<string, Value>()
  for (const entry of entries) addUnique(map, entry.name, read(entry, reading), what, reading.findings)
  return map
}

const sequencesIn = (entries: readonly Entry<Shapes['sequences']['sequences'][string]>[]): Reading['sequences'] =>
  new Map(entries.map(({ name, key, value }) => [name, { steps: itemsOf(member(value, 'steps')), location: key }]))

function collectProfiles(files: readonly ShapedFile[], reading: Reading): Map<string, ProfileText> {
  const texts = new Map<string, ProfileText>()
  for (const { root } of filesOf(files, 'profile').filter(isSound)) {
    const text = readProfile(root, reading)
    addUnique(texts, text.name, text, 'profile', reading.findings)
  }
  return texts
}

function collectCases(files: readonly ShapedFile[], reading: Reading): Case[] {
  const cases = new Map<string, Case>()
  for (const file of filesOf(files, 'cases')) {
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
function reportOtherFolder({ file, root }: ShapedFile<Shapes['cases']>, reading: Reading): void {
  const node = member(root, 'operation')
  const [, folder] = file.name.split('/')
  if (!node || folder === dataOf(node)) return
  const message = `the operation is "${dataOf(node)}", but the folder is "${folder}"`
  reading.findings.add(node.location, message, `move the file to the folder "${dataOf(node)}"`)
}

const isSound = ({ broken }: ShapedFile): boolean => broken.size === 0

function readSituation({ name, key, value }: Entry<string>, { findings }: Reading): Situation {
  if (name === accepted) findings.add(key, `"${name}" is a built-in situation`, 'choose another name')
  return { name, meaning: dataOf(value), location: key }
}

function readRequest({ name, key, value }: Entry<Shapes['request']>, reading: Reading): BaseRequest {
  const variables = [member(value, 'params'), member(value, 'query'), member(value, 'body')].flatMap(usesIn)
  reading.requestUses.set(name, variables)
  refer(reading, 'actor', member(value, 'as'))
  return { ...dataOf(value), name, location: key }
}

interface Variant {
  operation: string
  names: ReadonlyMap<string, string>
}

function variantsOf(root: Located<Shapes['cases']>): Variant[] {
  const { operation = '', operations } = dataOf(root)
  if (!operations) return [{ operation, names: new Map() }]
  return Object.entries(operations).map(([name, names]) => ({ operation: name, names: new Map(Object.entries(names)) }))
}

function fillNames<Shape>(node: Located<Shape>, names: ReadonlyMap<string, string>): Located<Shape> {
  const { location, content } = node
  if (names.size === 0) return node
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

function readActor({ name, key, value }: Entry<Shapes['actor']>, reading: Reading): Actor {
  for (const right of itemsOf(member(value, 'rights'))) {
    const [, party] = dataOf(right).split(' ')
    if (party !== undefined) reading.references.push({ kind: 'party', name: party, location: right.location })
  }
  const { rights, ...actor } = dataOf(value)
  return { ...actor, name, rights: rights as RightName[], location: key } // by schema
}

function readToken({ name, key, value }: Entry<Shapes['token']>, reading: Reading): TokenVariant {
  reading.flows.push({ steps: [{ uses: usesIn(member(value, 'claims')), captures: [], judging: [] }] })
  return { ...dataOf(value), name, location: key }
}

function collectRules(
  files: readonly ShapedFile[],
  reading: Reading,
): Pick<Suite, 'text' | 'outline' | 'rules' | 'unspecified'> {
  const outlines = filesOf(files, 'outline')
  const outline = outlines.flatMap((file) => validItems(file, 'outline').map(readSection))
  const text = outlines.filter(({ broken }) => broken.size === 0).flatMap(({ root }) => dataOf(root).text ?? [])[0]
  const rules: Suite['rules'] = new Map()
  const unspecified: Suite['unspecified'] = new Map()
  for (const file of filesOf(files, 'rules')) {
    const operations = validItems(file, 'operations').map(dataOf)
    for (const node of validItems(file, 'rules')) {
      const rule = readRule(node, operations, reading)
      addUnique(rules, rule.id, rule, 'rule', reading.findings)
    }
    for (const node of validItems(file, 'unspecified')) {
      const behaviour = readUnspecified(node, reading)
      addUnique(unspecified, behaviour.id, behaviour, 'unspecified behaviour', reading.findings)
    }
  }
  return { ...(text && { text }), outline, rules, unspecified }
}

function readSection(node: Located<Shapes['section']>): Section {
  const reasons = entriesOf(member(node, 'without-rule'))
  return {
    name: dataOf(node).section,
    passages: itemsOf(member(node, 'passages')).map((item) => ({ name: dataOf(item), location: item.location })),
    withoutRule: new Map(reasons.map(({ name, key, value }) => [name, { reason: dataOf(value), location: key }])),
    location: node.location,
  }
}

/** `ofFile`: operations of rules without their own. */
function readRule(node: Located<Shapes['rule']>, ofFile: OperationName[], reading: Reading): Rule {
  const { operations = ofFile, ...rule } = camelCased(dataOf(node))
  refer(reading, 'profile', member(node, 'fact-of'))
  return { ...rule, passages: passagesOf(rule.section, member(node, 'passages')), operations, location: node.location }
}

function readUnspecified(node: Located<Shapes['unspecified']>, reading: Reading): UnspecifiedBehaviour {
  const { section, ...behaviour } = camelCased(dataOf(node))
  refer(reading, 'profile', member(node, 'filled-by'))
  return { ...behaviour, passages: passagesOf(section, member(node, 'passages')), location: node.location }
}

/** `Errors > item 1` names another section. */
const passagesOf = (own: string, passages: Located<string[]> | undefined): Passage[] =>
  itemsOf(passages).map((item) => {
    const [name = '', section = own] = dataOf(item).split(' > ').reverse()
    return { section, name, location: item.location }
  })
