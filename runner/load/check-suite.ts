import { suggestion } from '../../lib/suggest.js'
import { accepted, type Suite } from '../suite/suite.js'
import type { FileKind } from '../yaml/schemas.js'
import { checkVariables, fixtureVariables } from './check-variables.js'
import type { ProfileText } from './read-profiles.js'
import type { Reading, ReferenceKind } from './reading.js'

interface Names {
  profiles: ReadonlyMap<string, ProfileText>
  probes: readonly string[]
}

/** `unreadable`: missing names of these kinds are not reported. */
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
  // Their captures are unknown.
  if (unreadable.has('fixtures') || unreadable.has('sequences') || !isComplete) return
  const everyCapture = !unreadable.has('cases') && !unreadable.has('probes')
  checkVariables({ ...suite, everyCapture }, reading)
}

/** The loaded suite lacks sequences and codes, so lint cannot check them. */
function checkUnused(profiles: ReadonlyMap<string, ProfileText>, { sequences, references, findings }: Reading): void {
  const used = new Set(references.flatMap(({ kind, name }) => (kind === 'sequence' ? [name] : [])))
  for (const [name, { location }] of sequences) {
    if (!used.has(name)) findings.add(location, `no step uses the sequence "${name}"`, 'remove it')
  }
  const codes = new Set([...profiles.values()].flatMap(({ named }) => named.codes.map(({ name }) => name)))
  for (const text of profiles.values()) {
    for (const [code, { location }] of text.codes) {
      if (!codes.has(code)) findings.add(location, `no situation uses the code "${code}"`, 'remove it')
    }
  }
}

/** Only root profiles define formats. */
const formatsOf = (profiles: ReadonlyMap<string, ProfileText>): string[] =>
  [...profiles.values()].flatMap((text) => (text.extends === undefined ? [...text.formats.keys()] : []))

/** Includes fixtures that capture a party under their name. */
const partiesOf = ({ fixtures }: Pick<Suite, 'fixtures'>): string[] =>
  [...fixtureVariables(fixtures)].flatMap(([variable, fixture]) => (variable === fixture ? [fixture] : []))

type KnownNames = Record<ReferenceKind, Iterable<string> | undefined>

function checkReferences(known: KnownNames, { references, findings }: Reading): void {
  const sets = new Map(Object.entries(known).map(([kind, names]) => [kind, names && new Set(names)]))
  for (const { kind, name, location } of references) {
    const names = sets.get(kind)
    if (names && !names.has(name)) findings.add(location, `unknown ${kind} "${name}"`, suggestion(name, names))
  }
}
