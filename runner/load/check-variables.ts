import { nearest } from '../../interface/suggest.js'
import { keyVariable } from '../sign/key-ring.js'
import type { BaseRequest, Fixture, Probe } from '../suite/suite.js'
import type { Reading } from './reading.js'
import type { Sequence, SequenceStep, Use } from './sequence.js'

/** In a race: the number of the attempt, from 1 on. */
const attemptVariable = 'attempt'

/** What the runner itself defines. */
const builtInVariables = [
  'run',
  'row',
  'user',
  'participantId',
  'synchronizerId',
  'otherSynchronizerId',
  'preparedSynchronizerId',
] as const

/** What variables can come from. */
interface Sources {
  fixtures: ReadonlyMap<string, Fixture>
  requests: ReadonlyMap<string, BaseRequest>
  probes: ReadonlyMap<string, Probe>
  /** Whether all steps could be read, so that what none of them captures is captured nowhere. */
  everyCapture: boolean
}

/**
 * Every `${variable}` must be built in, come from a fixture, or have been captured by an earlier step: of the same case, of
 * the probe before it, of the same fixture. Base requests are judged where they are used. A name is captured only once.
 */
export function checkVariables(sources: Sources, reading: Reading): void {
  const owners = fixtureVariables(sources.fixtures)
  for (const name of builtInVariables) {
    const fixture = sources.fixtures.get(name)
    if (fixture)
      reading.findings.add(fixture.place, `"${name}" is the name of a built-in variable`, 'choose another name')
  }
  const captured = new Set(reading.sequences.flatMap(({ steps }) => steps.flatMap(namesCaptured)))
  const somewhere = new Set([...builtInVariables, ...owners.keys(), ...captured])
  for (const uses of sources.everyCapture ? reading.requestUses.values() : []) {
    for (const use of uses) expectKnown(use, somewhere, owners, reading)
  }
  const set = new Set(reading.sequences.flatMap(namesSet))
  for (const sequence of reading.sequences) {
    const known = knownBefore(sequence, owners, sources)
    // Cases set what a probe needs; whether the case at hand does is checked there.
    if (known && sequence.ofProbe !== undefined)
      for (const name of set) if (!capturesItself(sequence, name)) known.add(name)
    if (known) checkSequence(sequence, known, owners, somewhere, reading)
    if (sequence.probe !== undefined) checkProbe(sequence.probe, sequence, set, reading)
  }
}

/** What the steps and the rows of a case know: what it sets, and what its steps capture. */
const namesSet = ({ ofProbe, fixture, steps }: Sequence): string[] =>
  ofProbe === undefined && fixture === undefined ? steps.flatMap(namesCaptured) : []

const capturesItself = ({ steps }: Sequence, name: string): boolean =>
  steps.some((step) => namesCaptured(step).includes(name))

/** A probe takes variables that each case with it has to set. */
function checkProbe(probe: string, sequence: Sequence, set: ReadonlySet<string>, reading: Reading): void {
  const own = new Set(namesSet(sequence))
  const place = sequence.steps.at(-1)?.request?.place
  const probes = reading.sequences.filter(({ ofProbe }) => ofProbe === probe)
  const taken = probes.flatMap(({ steps }) => steps)
  const captured = new Set(taken.flatMap(namesCaptured))
  const missing = taken
    .flatMap(({ request, uses, judging }) => [
      ...uses,
      ...judging,
      ...((request && reading.requestUses.get(request.name)) ?? []),
    ])
    .find(({ name }) => set.has(name) && !own.has(name) && !captured.has(name))
  if (!missing || !place) return
  reading.findings.add(
    place,
    `the probe "${probe}" needs \${${missing.name}}, which the case does not set`,
    'set it with "let", or capture it in a step',
  )
}

/** The variables that fixtures give to everybody, each with its fixture: the party itself, its keys, what was prepared, and captures named after the fixture. */
export function fixtureVariables(fixtures: ReadonlyMap<string, Fixture>): Map<string, string> {
  const owners = new Map<string, string>()
  for (const { name, party, key, prepared, steps } of fixtures.values()) {
    if (party || key) owners.set(name, name)
    for (const member of Object.keys(prepared ?? {})) owners.set(`${name}.${member}`, name)
    for (const [index] of party?.external?.keys.entries() ?? []) owners.set(keyVariable(name, index), name)
    const captures = steps.flatMap(({ capture }) => [...capture.keys()])
    for (const variable of captures) {
      if (variable === name || variable.startsWith(`${name}.`)) owners.set(variable, name)
    }
  }
  return owners
}

/** What is known when the first step is sent; undefined where an unknown probe comes before, which is a finding already. */
function knownBefore(
  sequence: Sequence,
  owners: ReadonlyMap<string, string>,
  { fixtures, probes }: Sources,
): Set<string> | undefined {
  const probe = sequence.probe === undefined ? undefined : probes.get(sequence.probe)
  if (sequence.probe !== undefined && !probe) return undefined
  const captured = (probe?.before ?? []).flatMap(({ capture }) => [...capture.keys()])
  const names = [...fixtures.keys()]
  // Parties and keys come first, then the other fixtures in the order of their file.
  const position = sequence.fixture === undefined ? names.length : names.indexOf(sequence.fixture)
  const isMade = (name: string): boolean => {
    const fixture = fixtures.get(name)
    return fixture?.party !== undefined || fixture?.key !== undefined || names.indexOf(name) < position
  }
  const given = [...owners].flatMap(([variable, fixture]) => (isMade(fixture) ? [variable] : []))
  return new Set([...builtInVariables, ...given, ...captured])
}

function checkSequence(
  sequence: Sequence,
  known: Set<string>,
  owners: ReadonlyMap<string, string>,
  somewhere: ReadonlySet<string>,
  reading: Reading,
): void {
  for (const { request, uses, repeated, captures, judging } of sequence.steps) {
    const here = repeated ? new Set([...known, attemptVariable]) : known
    for (const use of uses) expectKnown(use, here, owners, reading)
    // What nothing at all captures is a finding in the request itself.
    const needed = (request && reading.requestUses.get(request.name)) ?? []
    const late = needed.find(({ name }) => !known.has(name) && somewhere.has(name))
    if (request && late) {
      const message = `the request "${request.name}" needs \${${late.name}}, which no earlier step captures`
      reading.findings.add(
        request.place,
        message,
        orderHint(late.name, owners) ?? 'capture it in a step before this one',
      )
    }
    for (const { name, place } of captures) {
      if (known.has(name)) reading.findings.add(place, `the variable "${name}" is there already`, 'choose another name')
      known.add(name)
    }
    for (const use of judging) expectKnown(use, known, owners, reading)
  }
}

const namesCaptured = ({ captures }: SequenceStep): string[] => captures.map(({ name }) => name)

function expectKnown(
  { name, place }: Use,
  known: ReadonlySet<string>,
  owners: ReadonlyMap<string, string>,
  { findings }: Reading,
): void {
  if (known.has(name)) return
  const near = nearest(name, known)
  const guess = near === undefined ? 'capture it in an earlier step, or name a fixture' : `did you mean "\${${near}}"?`
  findings.add(place, `nothing defines the variable \${${name}} here`, orderHint(name, owners) ?? guess)
}

function orderHint(name: string, owners: ReadonlyMap<string, string>): string | undefined {
  const fixture = owners.get(name)
  return fixture && `fixtures are made in the order of the file, and "${fixture}" gives it only later`
}
