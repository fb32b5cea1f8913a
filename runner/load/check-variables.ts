import type { BaseRequest, Fixture, Probe } from '../suite.js'
import type { Reading } from './reading.js'
import type { Sequence, SequenceStep, Use } from './sequence.js'
import { nearest } from './suggest.js'

/** What the runner itself defines. */
export const builtInVariables = ['run', 'row', 'uuid', 'user', 'participantId', 'synchronizerId', 'now'] as const

/** What variables can come from. */
interface Sources {
  fixtures: ReadonlyMap<string, Fixture>
  requests: ReadonlyMap<string, BaseRequest>
  probes: ReadonlyMap<string, Probe>
}

/**
 * Every `${variable}` must be built in, come from a fixture, or have been captured by an earlier step: of the same case, of
 * the probe before it, of the same fixture. Base requests are judged where they are used. A name is captured only once.
 */
export function checkVariables(sources: Sources, reading: Reading): void {
  const owners = fixtureVariables(sources.fixtures)
  for (const name of builtInVariables) {
    const fixture = sources.fixtures.get(name)
    if (fixture) reading.findings.add(fixture.place, `"${name}" is the name of a built-in variable`)
  }
  const captured = new Set(reading.sequences.flatMap(({ steps }) => steps.flatMap(namesCaptured)))
  for (const uses of reading.requestUses.values()) {
    const known = new Set([...builtInVariables, ...owners.keys(), ...captured])
    for (const use of uses) expectKnown(use, known, reading)
  }
  for (const sequence of reading.sequences) checkSequence(sequence, owners, captured, sources, reading)
}

/** The variables that fixtures give to everybody, each with its fixture: the party itself, and captures named after the fixture. */
export function fixtureVariables(fixtures: ReadonlyMap<string, Fixture>): Map<string, string> {
  const owners = new Map<string, string>()
  for (const { name, party, steps } of fixtures.values()) {
    if (party) owners.set(name, name)
    const captures = steps.flatMap(({ capture }) => [...capture.keys()])
    for (const variable of captures) {
      if (variable === name || variable.startsWith(`${name}.`)) owners.set(variable, name)
    }
  }
  return owners
}

function checkSequence(
  sequence: Sequence,
  owners: ReadonlyMap<string, string>,
  captured: ReadonlySet<string>,
  { requests, probes }: Sources,
  reading: Reading,
): void {
  const probe = sequence.probe === undefined ? undefined : probes.get(sequence.probe)
  // An unknown probe is a finding already; what it would have captured is not one more.
  if (sequence.probe !== undefined && !probe) return
  const others = [...owners].filter(([, fixture]) => fixture !== sequence.fixture).map(([name]) => name)
  const before = (probe?.before ?? []).flatMap(({ capture }) => [...capture.keys()])
  const known = new Set<string>([...builtInVariables, ...others, ...before])
  for (const { request, uses, captures, judging } of sequence.steps) {
    for (const use of uses) expectKnown(use, known, reading)
    if (request && requests.has(request.name)) {
      const needed = reading.requestUses.get(request.name) ?? []
      // What nothing at all captures is a finding in the request itself.
      const late = needed.find(({ name }) => !known.has(name) && (captured.has(name) || owners.has(name)))
      if (late) {
        const message = `the request "${request.name}" needs \${${late.name}}, which no earlier step captures`
        reading.findings.add(request.place, message, 'capture it in a step before this one')
      }
    }
    for (const { name, place } of captures) {
      if (known.has(name)) reading.findings.add(place, `the variable "${name}" is there already`, 'choose another name')
      known.add(name)
    }
    for (const use of judging) expectKnown(use, known, reading)
  }
}

const namesCaptured = ({ captures }: SequenceStep): string[] => captures.map(({ name }) => name)

function expectKnown({ name, place }: Use, known: ReadonlySet<string>, { findings }: Reading): void {
  if (known.has(name)) return
  const near = nearest(name, known)
  const hint = near === undefined ? 'capture it in an earlier step, or name a fixture' : `did you mean "\${${near}}"?`
  findings.add(place, `nothing defines the variable \${${name}}`, hint)
}
