import { nearest, suggestion } from '../../lib/suggest.js'
import { declaredFacts } from '../../record/types/declared-facts.js'
import { keyVariable } from '../sign/signing-key.js'
import { accepted, type Fixture, type Listed, type Probe, type SuiteContent } from '../suite/suite.js'
import { entriesOf } from '../yaml/locations.js'
import { namedCodes } from './read-profiles.js'
import type { FlowStep, Reading, VariableFlow } from './reading.js'

/** `probes`: names, also of probes that extend an unknown one or each other. */
export function checkSuite(suite: SuiteContent, probes: readonly string[], reading: Reading): void {
  checkReferences(
    {
      rule: suite.rules.keys(),
      situation: [accepted, ...suite.situations.keys()],
      profile: reading.profiles.keys(),
      request: suite.requests.keys(),
      sequence: reading.sequences.keys(),
      actor: suite.actors.keys(),
      token: suite.tokens.keys(),
      probe: probes,
      party: partiesOf(suite),
      format: formatsOf(reading),
      row: suite.cases.flatMap(({ id, rows }) => rows.map((row) => `${id}/${row.id}`)),
    },
    reading,
  )
  // The captures of an unknown sequence are unknown.
  if (!reading.references.every(({ kind, name }) => kind !== 'sequence' || reading.sequences.has(name))) return
  checkUnused(reading)
  checkVariables(suite, reading)
}

/** The loaded suite lacks sequences and codes, so lint cannot check them. */
function checkUnused({ profiles, sequences, references, findings }: Reading): void {
  const used = new Set(references.flatMap(({ kind, name }) => (kind === 'sequence' ? [name] : [])))
  for (const [name, { location }] of sequences) {
    if (!used.has(name)) findings.add(location, `no step uses the sequence "${name}"`, 'remove it')
  }
  const shapes = [...profiles.values()].map(({ value }) => value)
  const codes = new Set(shapes.flatMap(namedCodes).map(({ name }) => name))
  for (const { name, location } of shapes.flatMap((shape) => entriesOf(shape.codes))) {
    if (!codes.has(name)) findings.add(location, `no situation uses the code "${name}"`, 'remove it')
  }
}

/** Only root profiles define formats. */
const formatsOf = ({ profiles }: Reading): string[] =>
  [...profiles.values()].flatMap(({ value }) => (value.extends === undefined ? Object.keys(value.formats ?? {}) : []))

/** Includes fixtures that capture a party under their name. */
const partiesOf = ({ fixtures }: SuiteContent): string[] =>
  [...fixtureVariables(fixtures)].flatMap(([variable, fixture]) => (variable === fixture ? [fixture] : []))

/** Profiles decide about other kinds. */
function checkReferences(known: Readonly<Record<string, Iterable<string>>>, { references, findings }: Reading): void {
  const sets = new Map(Object.entries(known).map(([kind, names]) => [kind, new Set(names)]))
  for (const { kind, name, location } of references) {
    const names = sets.get(kind)
    if (names && !names.has(name)) findings.add(location, `unknown ${kind} "${name}"`, suggestion(name, names))
  }
}

/** In a race, from 1. */
const attemptVariable = 'attempt'

const builtInVariables = [
  'run',
  'row',
  'user',
  'participantId',
  'synchronizerId',
  'otherSynchronizerId',
  'preparedSynchronizerId',
  ...declaredFacts,
] as const

interface Sources {
  fixtures: ReadonlyMap<string, Fixture>
  probes: ReadonlyMap<string, Probe>
}

/** Each variable is built in, of a fixture, or captured earlier in the case, its probe or the fixture. A name is captured once. */
function checkVariables(sources: Sources, reading: Reading): void {
  const owners = fixtureVariables(sources.fixtures)
  for (const name of builtInVariables) {
    const fixture = sources.fixtures.get(name)
    if (fixture)
      reading.findings.add(fixture.location, `"${name}" is the name of a built-in variable`, 'choose another name')
  }
  const captured = new Set(reading.flows.flatMap(({ steps }) => steps.flatMap(namesCaptured)))
  const defined = new Set([...builtInVariables, ...owners.keys(), ...captured])
  for (const uses of reading.requestUses.values()) {
    for (const use of uses) expectKnown(use, defined, owners, reading)
  }
  const set = new Set(reading.flows.flatMap(namesSet))
  for (const flow of reading.flows) {
    const known = knownBefore(flow, owners, sources)
    // `checkProbe` checks these.
    if (known && flow.ofProbe !== undefined) for (const name of set) if (!capturesItself(flow, name)) known.add(name)
    if (known) checkFlow(flow, known, owners, defined, reading)
    if (flow.probe !== undefined) checkProbe(flow.probe, flow, set, reading)
  }
}

const namesSet = ({ ofProbe, fixture, steps }: VariableFlow): string[] =>
  ofProbe === undefined && fixture === undefined ? steps.flatMap(namesCaptured) : []

const capturesItself = ({ steps }: VariableFlow, name: string): boolean =>
  steps.some((step) => namesCaptured(step).includes(name))

function checkProbe(probe: string, flow: VariableFlow, set: ReadonlySet<string>, reading: Reading): void {
  const own = new Set(namesSet(flow))
  const location = flow.steps.at(-1)?.request?.location
  const probes = reading.flows.filter(({ ofProbe }) => ofProbe === probe)
  const probeSteps = probes.flatMap(({ steps }) => steps)
  const captured = new Set(probeSteps.flatMap(namesCaptured))
  const missing = probeSteps
    .flatMap(({ request, uses, judging }) => [
      ...uses,
      ...judging,
      ...((request && reading.requestUses.get(request.name)) ?? []),
    ])
    .find(({ name }) => set.has(name) && !own.has(name) && !captured.has(name))
  if (!missing || !location) return
  reading.findings.add(
    location,
    `the probe "${probe}" needs \${${missing.name}}, which the case does not set`,
    'set it with "let", or capture it in a step',
  )
}

/** Fixtures by public variable: party, keys, prepared transaction, and captures named after the fixture. */
function fixtureVariables(fixtures: ReadonlyMap<string, Fixture>): Map<string, string> {
  const owners = new Map<string, string>()
  for (const { name, party, key, prepared, steps } of fixtures.values()) {
    if (party || key) owners.set(name, name)
    for (const member of Object.keys(prepared ?? {})) owners.set(`${name}.${member}`, name)
    for (const [index] of party?.external?.keys.entries() ?? []) owners.set(keyVariable(name, index), name)
    const captures = steps.flatMap(({ capture = {} }) => Object.keys(capture))
    for (const variable of captures) {
      if (variable === name || variable.startsWith(`${name}.`)) owners.set(variable, name)
    }
  }
  return owners
}

/** Undefined for an unknown probe. */
function knownBefore(
  flow: VariableFlow,
  owners: ReadonlyMap<string, string>,
  { fixtures, probes }: Sources,
): Set<string> | undefined {
  const probe = flow.probe === undefined ? undefined : probes.get(flow.probe)
  if (flow.probe !== undefined && !probe) return undefined
  const captured = (probe?.before ?? []).flatMap(({ capture = {} }) => Object.keys(capture))
  const names = [...fixtures.keys()]
  // The run creates parties and keys first.
  const position = flow.fixture === undefined ? names.length : names.indexOf(flow.fixture)
  const isCreated = (name: string): boolean => {
    const fixture = fixtures.get(name)
    return fixture?.party !== undefined || fixture?.key !== undefined || names.indexOf(name) < position
  }
  const given = [...owners].flatMap(([variable, fixture]) => (isCreated(fixture) ? [variable] : []))
  return new Set([...builtInVariables, ...given, ...captured])
}

function checkFlow(
  flow: VariableFlow,
  known: Set<string>,
  owners: ReadonlyMap<string, string>,
  defined: ReadonlySet<string>,
  reading: Reading,
): void {
  for (const { request, uses, repeated, captures, judging } of flow.steps) {
    const here = repeated ? new Set([...known, attemptVariable]) : known
    for (const use of uses) expectKnown(use, here, owners, reading)
    // Undefined variables are reported at the base request.
    const needed = (request && reading.requestUses.get(request.name)) ?? []
    const late = needed.find(({ name }) => !known.has(name) && defined.has(name))
    if (request && late) {
      const message = `the request "${request.name}" needs \${${late.name}}, which no earlier step captures`
      reading.findings.add(request.location, message, orderHint(late.name, owners) ?? 'capture it in an earlier step')
    }
    for (const { name, location } of captures) {
      if (known.has(name))
        reading.findings.add(location, `the variable "${name}" is already defined`, 'choose another name')
      known.add(name)
    }
    for (const use of judging) expectKnown(use, known, owners, reading)
  }
}

const namesCaptured = ({ captures }: FlowStep): string[] => captures.map(({ name }) => name)

function expectKnown(
  { name, location }: Listed,
  known: ReadonlySet<string>,
  owners: ReadonlyMap<string, string>,
  { findings }: Reading,
): void {
  if (known.has(name)) return
  const near = nearest(name, known)
  const guess = near === undefined ? 'capture it in an earlier step, or name a fixture' : `did you mean "\${${near}}"?`
  findings.add(location, `the variable \${${name}} is not defined here`, orderHint(name, owners) ?? guess)
}

function orderHint(name: string, owners: ReadonlyMap<string, string>): string | undefined {
  const fixture = owners.get(name)
  return fixture && `fixtures are created in file order, and "${fixture}" defines the variable later`
}
