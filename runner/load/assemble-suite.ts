import type { Case, Place, Suite } from '../suite.js'
import { type ShapedFile, soundEntries, soundItems } from './check-shape.js'
import { checkVariables, fixtureVariables } from './check-variables.js'
import { type Entry, member, textAt } from './located.js'
import { readActor, readToken } from './read-actors.js'
import { readCase } from './read-cases.js'
import { readCondition } from './read-conditions.js'
import { readFixture } from './read-fixtures.js'
import { readProbe } from './read-probes.js'
import { type ProfileText, readProfile } from './read-profiles.js'
import { readRequest } from './read-requests.js'
import { readRule } from './read-rules.js'
import { addUnique, type Reading } from './reading.js'
import { checkReferences } from './references.js'
import { resolveProfiles } from './resolve-profiles.js'
import type { FileKind } from './schemas.js'

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
    rules: collectRules(files, reading),
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

function collectRules(files: readonly ShapedFile[], { findings }: Reading): Suite['rules'] {
  const rules: Suite['rules'] = new Map()
  for (const node of files.filter(({ kind }) => kind === 'rules').flatMap((file) => soundItems(file, 'rules'))) {
    const rule = readRule(node)
    addUnique(rules, rule.id, rule, 'rule', findings)
  }
  return rules
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
    const operation = textAt(file.root, 'operation')
    const folder = file.file.name.split('/')[1]
    const node = member(file.root, 'operation')
    if (node && folder !== operation) {
      reading.findings.add(node.place, `the operation is "${operation}", and the folder "${folder}"`, 'move the file')
    }
    for (const item of nodes) {
      const found = readCase(item, operation, reading)
      if (found) addUnique(cases, found.id, found, 'case', reading.findings)
    }
  }
  return [...cases.values()]
}

/** Fixtures that stand for a party: those that are one, and those whose steps capture one under their own name. */
const partiesOf = ({ fixtures }: Pick<Suite, 'fixtures'>): string[] =>
  [...fixtureVariables(fixtures)].flatMap(([variable, fixture]) => (variable === fixture ? [fixture] : []))

const isSound =
  (kind: FileKind) =>
  (file: ShapedFile): boolean =>
    file.kind === kind && file.broken.size === 0
