import { join } from 'node:path'
import type { OperationName } from '../../interface/operations.js'
import { camelCased } from '../../lib/camel-case.js'
import { suggestion } from '../../lib/suggest.js'
import type { Data } from '../../record/types/resolved-row.js'
import type { Shapes } from '../suite/shapes.js'
import {
  type Actor,
  accepted,
  type BaseRequest,
  type Case,
  type Location,
  type Passage,
  type ProfileFile,
  type Rule,
  type Section,
  type Situation,
  type Suite,
  type SuiteContent,
  type SuiteRules,
  type TokenVariant,
  type UnspecifiedBehaviour,
} from '../suite/suite.js'
import { generatorNames } from '../template/variables.js'
import { checkShape, type Reference, type ShapedFile } from '../yaml/check-shape.js'
import { FindingList, FindingsError } from '../yaml/findings.js'
import {
  type Entry,
  entriesOf,
  keyLocation,
  locationOf,
  renamed,
  replaceValues,
  valueLocation,
} from '../yaml/locations.js'
import { parseYaml } from '../yaml/parse-yaml.js'
import {
  type FileKind,
  loadSchemas,
  type ShapeCheck,
  type SuiteFile,
  shownPath,
  suiteDigest,
  textsOf,
} from '../yaml/suite-files.js'
import { checkSuite } from './check-suite.js'
import { readCase } from './read-cases.js'
import { extendProbes, readFixture, readProbe } from './read-fixtures.js'
import { readProfiles } from './read-profiles.js'
import { addUnique, listed, type Reading, usesIn } from './reading.js'

interface Shaped {
  files: readonly ShapedFile[]
  reading: Reading
  texts: ReadonlyMap<string, string>
}

const ownFile = ({ path, text }: ProfileFile): SuiteFile => ({ name: path, kind: 'profile', text })

async function readFiles(folder: string, files: readonly SuiteFile[], profile?: ProfileFile): Promise<Shaped> {
  const check = await loadSchemas()
  const all = profile ? [...files, ownFile(profile)] : files
  const texts = textsOf(all)
  const findings = new FindingList(texts, (name) => shownPath(name === profile?.path ? name : join(folder, name)))
  const shaped = all.flatMap((file) => shape(file, check, findings))
  // The names in a file of another form are unknown.
  expectNone(findings)
  const reading: Reading = {
    findings,
    references: shaped.flatMap(referencesIn),
    profiles: profilesIn(shaped, findings),
    sequences: new Map(entriesIn(shaped, 'sequences', 'sequences').map((entry) => [entry.name, entry])),
    flows: [],
    requestUses: new Map(),
  }
  return { files: shaped, reading, texts }
}

function expectNone(findings: FindingList): void {
  const found = findings.sorted()
  if (found.length > 0) throw new FindingsError('suite', found)
}

/** Rejects with `FindingsError`: mistakes of form in all files, or else those of names. */
export async function readSuite(folder: string, files: readonly SuiteFile[], profile?: ProfileFile): Promise<Suite> {
  const { files: shaped, reading, texts } = await readFiles(folder, files, profile)
  if (!files.some(({ kind }) => kind === 'suite')) {
    reading.findings.add(
      start('suite.yaml'),
      'the suite has no suite.yaml',
      'create it with the content: version: 0.1.0',
    )
  }
  const suite = assembleSuite(shaped, reading)
  expectNone(reading.findings)
  return { ...suite, profiles: withFile(suite.profiles, profile), digest: suiteDigest(files), folder, texts }
}

/** Reads only the profiles: the other parts of a compiled suite are valid. Rejects with `FindingsError`. */
export async function addProfile(suite: Suite, files: readonly SuiteFile[], profile: ProfileFile): Promise<Suite> {
  const ofProfiles = files.filter(({ kind }) => kind === 'profile')
  const { reading } = await readFiles(suite.folder ?? '', ofProfiles, profile)
  const profiles = readProfiles(reading)
  checkSuite({ ...suite, profiles }, [...suite.probes.keys()], reading)
  expectNone(reading.findings)
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
  const parsed = parseYaml(name, text, findings)
  if (!parsed) return []
  checkGenerators(parsed.value, findings)
  return [{ name, kind, root: parsed.value, references: checkShape(parsed, kind, check, findings) }]
}

/** Such as `$repaet`. */
function checkGenerators(value: Data, findings: FindingList): void {
  if (typeof value !== 'object' || value === null) return
  for (const [name, member] of Object.entries(value)) {
    if (/^\$(?!\{)/.test(name) && !generatorNames.includes(name))
      findings.add(keyLocation(value, name), `unknown generator "${name}"`, suggestion(name, generatorNames))
    checkGenerators(member, findings)
  }
}

/** Cases of several operations have placeholders. */
function referencesIn(file: ShapedFile): Reference[] {
  const { references, kind } = file
  if (kind !== 'cases' || references.length === 0) return references.flatMap(withoutRight)
  const names = filesOf([file], 'cases').flatMap(({ root }) => variantsOf(root).map((variant) => variant.names))
  return names.flatMap((one) => references.map((each) => ({ ...each, name: fillText(each.name, one) })))
}

/** Such as `CanActAs alice`; other rights name no party. */
function withoutRight(reference: Reference): Reference[] {
  if (reference.kind !== 'party') return [reference]
  const [, party] = reference.name.split(' ')
  return party === undefined ? [] : [{ ...reference, name: party }]
}

function assembleSuite(files: readonly ShapedFile[], reading: Reading): SuiteContent {
  const probes = entriesIn(files, 'probes', 'probes')
  const [head] = filesOf(files, 'suite')
  const suite = {
    version: head?.root.version ?? '',
    ...collectRules(files, reading),
    situations: collect(entriesIn(files, 'situations', 'situations'), 'situation', readSituation, reading),
    profiles: readProfiles(reading),
    requests: collect(entriesIn(files, 'requests', 'requests'), 'request', readRequest, reading),
    actors: collect(entriesIn(files, 'actors', 'actors'), 'actor', readActor, reading),
    tokens: collect(entriesIn(files, 'actors', 'tokens'), 'token', readToken, reading),
    fixtures: collect(entriesIn(files, 'fixtures', 'fixtures'), 'fixture', readFixture, reading),
    probes: collect(extendProbes(probes, reading.findings), 'probe', readProbe, reading),
    cases: collectCases(files, reading),
  }
  const probeNames = probes.map(({ name }) => name)
  checkSuite(suite, probeNames, reading)
  return suite
}

type SuiteKind = FileKind & keyof Shapes

const filesOf = <Kind extends SuiteKind>(files: readonly ShapedFile[], kind: Kind): ShapedFile<Shapes[Kind]>[] =>
  files.filter((file) => file.kind === kind) as ShapedFile<Shapes[Kind]>[] // by schema

type MapIn<Kind extends SuiteKind, Name extends keyof Shapes[Kind]> = NonNullable<Shapes[Kind][Name]>
type MemberIn<Kind extends SuiteKind, Name extends keyof Shapes[Kind]> = MapIn<Kind, Name>[keyof MapIn<Kind, Name> &
  string]

/** Of a top-level map of all files. */
const entriesIn = <Kind extends SuiteKind, Name extends keyof Shapes[Kind]>(
  files: readonly ShapedFile[],
  kind: Kind,
  name: Name,
): Entry<MemberIn<Kind, Name>>[] =>
  filesOf(files, kind).flatMap(({ root }) => entriesOf(root[name] as Record<string, MemberIn<Kind, Name>> | undefined)) // by schema

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

function profilesIn(files: readonly ShapedFile[], findings: FindingList): Reading['profiles'] {
  const profiles = new Map<string, Entry<Shapes['profile']>>()
  for (const { root } of filesOf(files, 'profile')) {
    const entry = { name: root.profile, value: root, location: valueLocation(root, 'profile') }
    addUnique(profiles, entry.name, entry, 'profile', findings)
  }
  return profiles
}

function collectCases(files: readonly ShapedFile[], reading: Reading): Case[] {
  const cases = new Map<string, Case>()
  for (const file of filesOf(files, 'cases')) {
    checkOperation(file, reading)
    for (const { operation, names } of variantsOf(file.root)) {
      for (const shape of file.root.cases) {
        const found = readCase(fillNames(shape, names), file.root, operation, reading)
        if (found) addUnique(cases, found.id, found, 'case', reading.findings)
      }
    }
  }
  return [...cases.values()]
}

/** A file for one operation is in the folder of that name. */
function checkOperation({ name, root }: ShapedFile<Shapes['cases']>, { findings }: Reading): void {
  const { operation, operations } = root
  if ((operation === undefined) === (operations === undefined))
    findings.add(locationOf(root), 'the file needs either "operation" or "operations"', 'keep exactly one of them')
  const [, folder] = name.split('/')
  if (operation === undefined || folder === operation) return
  const message = `the operation is "${operation}", but the folder is "${folder}"`
  findings.add(valueLocation(root, 'operation'), message, `move the file to the folder "${operation}"`)
}

function readSituation({ name, value, location }: Entry<string>, { findings }: Reading): Situation {
  if (name === accepted) findings.add(location, `"${name}" is a built-in situation`, 'choose another name')
  return { name, meaning: value, location }
}

function readRequest({ name, value, location }: Entry<Shapes['request']>, reading: Reading): BaseRequest {
  const variables = ['query', 'body'].flatMap((member) => usesIn(value, member))
  reading.requestUses.set(name, variables)
  return { ...value, name, location }
}

interface Variant {
  operation: string
  names: ReadonlyMap<string, string>
}

function variantsOf({ operation, operations }: Shapes['cases']): Variant[] {
  if (!operations) return [{ operation: operation ?? '', names: new Map() }]
  return Object.entries(operations).map(([name, names]) => ({ operation: name, names: new Map(Object.entries(names)) }))
}

function fillNames<Shape extends object>(shape: Shape, names: ReadonlyMap<string, string>): Shape {
  return names.size === 0 ? shape : (filled(shape as Data, names) as Shape) // the same members
}

function filled(value: Data, names: ReadonlyMap<string, string>): Data {
  if (typeof value === 'string') return fillText(value, names)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return replaceValues(value, (item) => filled(item, names))
  const original = new Map(Object.keys(value).map((name) => [fillText(name, names), name]))
  const members = Object.entries(value).map(([name, member]) => [fillText(name, names), filled(member, names)])
  return renamed(Object.fromEntries(members), value, (name) => original.get(name) ?? name)
}

/** `${name}` is a variable of the run and stays. */
const fillText = (text: string, names: ReadonlyMap<string, string>): string =>
  text.replace(/(?<!\$)\{([a-z-]+)\}/g, (whole, name: string) => names.get(name) ?? whole)

const readActor = ({ name, value, location }: Entry<Shapes['actor']>): Actor => ({ ...value, name, location })

function readToken({ name, value, location }: Entry<Shapes['token']>, { flows }: Reading): TokenVariant {
  flows.push({ steps: [{ uses: usesIn(value, 'claims'), captures: [], judging: [] }] })
  return { ...value, name, location }
}

function collectRules(files: readonly ShapedFile[], reading: Reading): SuiteRules {
  const outlines = filesOf(files, 'outline')
  const outline = outlines.flatMap(({ root }) => root.outline.map(readSection))
  const text = outlines.flatMap(({ root }) => root.text ?? [])[0]
  const rules: Suite['rules'] = new Map()
  const unspecified: Suite['unspecified'] = new Map()
  for (const { root } of filesOf(files, 'rules')) {
    for (const shape of root.rules) {
      const rule = readRule(shape, root.operations ?? [], reading)
      addUnique(rules, rule.id, rule, 'rule', reading.findings)
    }
    for (const shape of root.unspecified ?? []) {
      const behaviour = readUnspecified(shape)
      addUnique(unspecified, behaviour.id, behaviour, 'unspecified behaviour', reading.findings)
    }
  }
  return { ...(text && { text }), outline, rules, unspecified }
}

function readSection(shape: Shapes['section']): Section {
  const reasons = entriesOf(shape['without-rule'])
  return {
    name: shape.section,
    passages: listed(shape.passages),
    withoutRule: new Map(reasons.map(({ name, value, location }) => [name, { reason: value, location }])),
  }
}

/** `ofFile`: operations of rules without their own. */
function readRule(shape: Shapes['rule'], ofFile: OperationName[], { findings }: Reading): Rule {
  const { operations = ofFile, ...rule } = camelCased(shape)
  const location = locationOf(shape)
  if ((shape.passages === undefined) === (shape['fact-of'] === undefined))
    findings.add(location, 'a rule needs either "passages" or "fact-of"', 'keep exactly one of them')
  return { ...rule, passages: passagesOf(rule.section, shape.passages), operations, location }
}

function readUnspecified(shape: Shapes['unspecified']): UnspecifiedBehaviour {
  const { section, ...behaviour } = camelCased(shape)
  return { ...behaviour, passages: passagesOf(section, shape.passages), location: locationOf(shape) }
}

/** `Errors > item 1` names another section. */
const passagesOf = (own: string, passages: string[] | undefined): Passage[] =>
  listed(passages).map(({ name: text, location }) => {
    const [name = '', section = own] = text.split(' > ').reverse()
    return { section, name, location }
  })
