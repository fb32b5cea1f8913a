import type { Case, Location, Suite } from '../suite/suite.js'
import { type ShapedFile, soundEntries, soundItems } from './check-shape.js'
import { checkSuite } from './check-suite.js'
import { collectRules } from './collect-rules.js'
import { extendProbes } from './extend-probe.js'
import { inheritProfiles } from './inherit-profiles.js'
import { type Entry, itemsOf, member, textAt, textOf } from './located.js'
import { readActor, readToken } from './read-actors.js'
import { readCase } from './read-cases.js'
import { readFixture } from './read-fixtures.js'
import { readGaps } from './read-gaps.js'
import { readProbe } from './read-probes.js'
import { type ProfileText, readProfile } from './read-profiles.js'
import { readRequest } from './read-requests.js'
import { readSituation } from './read-situations.js'
import { addUnique, type Reading } from './reading.js'
import type { FileKind } from './schemas.js'
import { fillNames, variantsOf } from './variants.js'

/**
 * Puts the files together and holds them against each other. `unreadable`: kinds of files of which something could not be
 * read, so that a name that is not there proves nothing.
 */
export function assembleSuite(
  files: readonly ShapedFile[],
  unreadable: ReadonlySet<string>,
  collected: Omit<Reading, 'sequences'>,
): Omit<Suite, 'digest'> {
  const from = (kind: FileKind, name: string): Entry[] =>
    files.filter((file) => file.kind === kind).flatMap((file) => soundEntries(file, name))
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
  // Those that could not be read are names nevertheless.
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
  reading.findings.add(node.location, `the operation is "${textOf(node)}", and the folder "${folder}"`, 'move the file')
}

const isSound =
  (kind: FileKind) =>
  (file: ShapedFile): boolean =>
    file.kind === kind && file.broken.size === 0
