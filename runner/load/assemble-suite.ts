import type { Case, Place, Suite } from '../suite/suite.js'
import { type ShapedFile, soundEntries, soundItems } from './check-shape.js'
import { checkVariables, fixtureVariables } from './check-variables.js'
import { type Entry, member, textAt, textOf } from './located.js'
import { readActor, readToken } from './read-actors.js'
import { readCase } from './read-cases.js'
import { readCondition } from './read-conditions.js'
import { readFixture } from './read-fixtures.js'
import { readGaps } from './read-gaps.js'
import { readSection } from './read-outline.js'
import { readProbe } from './read-probes.js'
import { type ProfileText, readProfile } from './read-profiles.js'
import { readRequest } from './read-requests.js'
import { operationsOf, readOpenPoint, readRule } from './read-rules.js'
import { addUnique, type Reading } from './reading.js'
import { checkReferences } from './references.js'
import { resolveProfiles } from './resolve-profiles.js'
import type { FileKind } from './schemas.js'
import { fillNames, variantsOf } from './variants.js'

/**
 * Puts the files together and holds them against each other. `unreadable`: kinds of files of which something could not be
 * read, so that a name that is not there proves nothing.
 */
export function assembleSuite(
  files: readonly ShapedFile[],
  unreadable: ReadonlySet<string>,
  reading: Reading,
): Omit<Suite, 'digest'> {
  const from = (kind: FileKind, name: string): Entry[] =>
    files.filter((file) => file.kind === kind).flatMap((file) => soundEntries(file, name))
  const texts = collectProfiles(files, reading)
  const suite = {
    version: files.filter(isSound('suite')).map(({ root }) => textAt(root, 'version'))[0] ?? '',
    gaps: files.filter(isSound('suite')).map(({ root }) => readGaps(root, reading))[0] ?? noGaps(),
    outline: files
      .filter(({ kind }) => kind === 'outline')
      .flatMap((file) => soundItems(file, 'outline').map(readSection)),
    ...collectRules(files, reading),
    conditions: collect(from('conditions', 'conditions'), 'condition', readCondition, reading),
    profiles: resolveProfiles(texts, reading.findings),
    requests: collect(from('requests', 'requests'), 'request', readRequest, reading),
    actors: collect(from('actors', 'actors'), 'actor', readActor, reading),
    tokens: collect(from('actors', 'tokens'), 'token', readToken, reading),
    fixtures: collect(from('fixtures', 'fixtures'), 'fixture', readFixture, reading),
    probes: collect(from('probes', 'probes'), 'probe', readProbe, reading),
    cases: collectCases(files, reading),
  }
  check(suite, texts, unreadable, reading)
  return suite
}

function check(
  suite: Omit<Suite, 'digest'>,
  profiles: ReadonlyMap<string, ProfileText>,
  unreadable: ReadonlySet<string>,
  reading: Reading,
): void {
  const known = (kind: FileKind, names: Iterable<string>): Iterable<string> | undefined =>
    unreadable.has(kind) ? undefined : names
  checkReferences(
    {
      rule: known('rules', suite.rules.keys()),
      condition: known('conditions', suite.conditions.keys()),
      profile: known('profile', profiles.keys()),
      request: known('requests', suite.requests.keys()),
      actor: known('actors', suite.actors.keys()),
      token: known('actors', suite.tokens.keys()),
      probe: known('probes', suite.probes.keys()),
      party: known('fixtures', partiesOf(suite)),
      form: known('profile', formsOf(profiles)),
    },
    reading,
  )
  if (unreadable.has('fixtures')) return
  const everyCapture = !unreadable.has('cases') && !unreadable.has('probes')
  checkVariables({ ...suite, everyCapture }, reading)
}

function collect<Value extends { place: Place }>(
  entries: readonly Entry[],
  what: string,
  read: (entry: Entry, reading: Reading) => Value,
  reading: Reading,
): Map<string, Value> {
  const map = new Map<string, Value>()
  for (const entry of entries) addUnique(map, entry.name, read(entry, reading), what, reading.findings)
  return map
}

const noGaps = (): Suite['gaps'] => ({ rules: new Map(), conditions: [] })

function collectRules(files: readonly ShapedFile[], reading: Reading): Pick<Suite, 'rules' | 'openPoints'> {
  const rules: Suite['rules'] = new Map()
  const openPoints: Suite['openPoints'] = new Map()
  for (const file of files.filter(({ kind }) => kind === 'rules')) {
    const operations = operationsOf(soundItems(file, 'operations'))
    for (const node of soundItems(file, 'rules')) {
      const rule = readRule(node, operations)
      addUnique(rules, rule.id, rule, 'rule', reading.findings)
    }
    for (const node of soundItems(file, 'open-points')) {
      const point = readOpenPoint(node, reading)
      addUnique(openPoints, point.id, point, 'open point', reading.findings)
    }
  }
  return { rules, openPoints }
}

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
    const nodes = soundItems(file, 'cases')
    if (nodes.length === 0) continue
    refuseOtherFolder(file, reading)
    for (const { operation, names } of variantsOf(file.root)) {
      for (const item of nodes) {
        const found = readCase(fillNames(item, names), file.root, operation, reading)
        if (found) addUnique(cases, found.id, found, 'case', reading.findings)
      }
    }
  }
  return [...cases.values()]
}

/** A file for one operation lies in the folder of that name. */
function refuseOtherFolder({ file, root }: ShapedFile, reading: Reading): void {
  const node = member(root, 'operation')
  const folder = file.name.split('/')[1]
  if (!node || folder === textOf(node)) return
  reading.findings.add(node.place, `the operation is "${textOf(node)}", and the folder "${folder}"`, 'move the file')
}

/** A form that a profile adds would be unknown to those that it extends. */
const formsOf = (profiles: ReadonlyMap<string, ProfileText>): string[] =>
  [...profiles.values()].flatMap((text) => (text.extends === undefined ? [...text.forms.keys()] : []))

/** Fixtures that stand for a party: those that are one, and those whose steps capture one under their own name. */
const partiesOf = ({ fixtures }: Pick<Suite, 'fixtures'>): string[] =>
  [...fixtureVariables(fixtures)].flatMap(([variable, fixture]) => (variable === fixture ? [fixture] : []))

const isSound =
  (kind: FileKind) =>
  (file: ShapedFile): boolean =>
    file.kind === kind && file.broken.size === 0
