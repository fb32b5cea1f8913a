/** What can be checked only when every file has been read: names that must be there, variables that must be set, leftovers of the loader's own. */

import { suggestion } from '../../lib/suggest.js'
import { accepted, type Suite } from '../suite/suite.js'
import type { FileKind } from '../yaml/schemas.js'
import { checkVariables, fixtureVariables } from './check-variables.js'
import type { ProfileText } from './read-profiles.js'
import type { Reading, ReferenceKind } from './reading.js'

/** What is there by its name, even where it could not be put together. */
interface Names {
  profiles: ReadonlyMap<string, ProfileText>
  probes: readonly string[]
}

/**
 * Holds the parts of a suite against each other. `unreadable`: kinds of files of which something could not be read, so that
 * a name that is not there proves nothing.
 */
export function checkSuite(
  suite: Omit<Suite, 'digest'>,
  { profiles, probes }: Names,
  unreadable: ReadonlySet<string>,
  reading: Reading,
): void {
  const known = (kind: FileKind, names: Iterable<string>): Iterable<string> | undefined =>
    unreadable.has(kind) ? undefined : names
  checkReferences(
    {
      rule: known('rules', suite.rules.keys()),
      situation: known('situations', [accepted, ...suite.situations.keys()]),
      profile: known('profile', profiles.keys()),
      request: known('requests', suite.requests.keys()),
      sequence: known('sequences', reading.sequences.keys()),
      actor: known('actors', suite.actors.keys()),
      token: known('actors', suite.tokens.keys()),
      probe: known('probes', probes),
      party: known('fixtures', partiesOf(suite)),
      format: known('profile', formatsOf(profiles)),
    },
    reading,
  )
  const isComplete = reading.references.every(({ kind, name }) => kind !== 'sequence' || reading.sequences.has(name))
  if (unreadable.size === 0 && isComplete) checkUnused(profiles, reading)
  // What is captured in steps that are not known is not known either.
  if (unreadable.has('fixtures') || unreadable.has('sequences') || !isComplete) return
  const everyCapture = !unreadable.has('cases') && !unreadable.has('probes')
  checkVariables({ ...suite, everyCapture }, reading)
}

/** Sequences and codes are gone when a suite has been read, so that nobody could say later that nothing uses them. */
function checkUnused(profiles: ReadonlyMap<string, ProfileText>, { sequences, references, findings }: Reading): void {
  const used = new Set(references.flatMap(({ kind, name }) => (kind === 'sequence' ? [name] : [])))
  for (const [name, { location }] of sequences) {
    if (!used.has(name)) findings.add(location, `no steps are the sequence "${name}"`, 'take it out')
  }
  const codes = new Set([...profiles.values()].flatMap(({ named }) => named.codes.map(({ name }) => name)))
  for (const text of profiles.values()) {
    for (const [code, { location }] of text.codes) {
      if (!codes.has(code)) findings.add(location, `no situation has the code "${code}"`, 'take it out')
    }
  }
}

/** A format that a profile adds would be unknown to those that it extends. */
const formatsOf = (profiles: ReadonlyMap<string, ProfileText>): string[] =>
  [...profiles.values()].flatMap((text) => (text.extends === undefined ? [...text.formats.keys()] : []))

/** Fixtures that stand for a party: those that are one, and those whose steps capture one under their own name. */
const partiesOf = ({ fixtures }: Pick<Suite, 'fixtures'>): string[] =>
  [...fixtureVariables(fixtures)].flatMap(([variable, fixture]) => (variable === fixture ? [fixture] : []))

/** The names that there are, by kind; undefined where a file with such names could not be read. */
type KnownNames = Record<ReferenceKind, Iterable<string> | undefined>

/** Every name that something refers to must be there. */
function checkReferences(known: KnownNames, { references, findings }: Reading): void {
  const sets = new Map(Object.entries(known).map(([kind, names]) => [kind, names && new Set(names)]))
  for (const { kind, name, location } of references) {
    const names = sets.get(kind)
    if (names && !names.has(name)) findings.add(location, `unknown ${kind} "${name}"`, suggestion(name, names))
  }
}
