/** Makes what cases need to be there, and remembers why if it could not. */

import { performStep, type Session } from '../execute/perform-step.js'
import { judgeStep } from '../judge/judge-step.js'
import type { PlannedRow } from '../plan/select.js'
import { valueAt } from '../template/pointer.js'
import { stepsOfRow } from '../row-steps.js'
import { type KeyRing, keyVariable } from '../sign/key-ring.js'
import type { ExternalKeys, Fixture, Profile, Step, Suite } from '../suite/suite.js'
import { TargetError } from '../target/target.js'
import type { GivenParty } from '../target/target-file.js'
import { type Variables, withValues } from '../template/variables.js'
import type { Caller } from './discover.js'
import { onboard } from './external-party.js'

export interface Fixtures {
  variables: Variables
  /** Fixtures that could not be made, each with the cause. */
  failed: ReadonlyMap<string, string>
}

/**
 * Allocates the parties among the fixtures under names unique to the run, and makes their keys. Throws `TargetError` where a
 * party that the participant hosts cannot be had; one that signs for itself is then a fixture that failed.
 */
export async function allocateParties(
  suite: Suite,
  allocation: Allocation,
  keys: KeyRing,
  call: Caller,
): Promise<Fixtures> {
  const variables = new Map<string, string>()
  const failed = new Map<string, string>()
  const { run, synchronizerId, several, needed, given } = allocation
  for (const { name, party, key } of suite.fixtures.values()) {
    if (key) variables.set(name, keys.make(key).fingerprint)
    if (!party) continue
    const hint = `${party.hint}-${run}`
    if (!party.external) {
      variables.set(name, await allocate(name, hint, several ? synchronizerId : '', call))
      continue
    }
    const own = given.get(name)
    if (own) {
      keys.add(own.key)
      variables.set(name, own.party)
      variables.set(keyVariable(name, 0), own.key.fingerprint)
    } else if (needed.has(name)) {
      try {
        const made = await allocateExternal(name, hint, party.external, synchronizerId, keys, call)
        for (const [variable, value] of made) variables.set(variable, value)
      } catch (error) {
        if (!(error instanceof TargetError)) throw error
        failed.set(name, error.message)
      }
    }
  }
  return { variables, failed }
}

interface Allocation {
  run: string
  synchronizerId: string
  /** The target is connected to several synchronizers, so that it must be said which one is meant. */
  several: boolean
  /** Fixtures that the run uses; a party that nobody may act for without its keys is only made then. */
  needed: ReadonlySet<string>
  /** Parties from elsewhere, by the fixtures that they stand for. */
  given: ReadonlyMap<string, GivenParty>
}

/** The party and the fingerprints of its keys, as variables. */
async function allocateExternal(
  name: string,
  hint: string,
  { keys: kinds, threshold }: ExternalKeys,
  synchronizerId: string,
  ring: KeyRing,
  call: Caller,
): Promise<Map<string, string>> {
  const [kind, ...more] = kinds
  const keys = [ring.make(kind), ...more.map((other) => ring.make(other))] as const
  const party = await onboard({ hint, keys, threshold }, synchronizerId, call)
  const fingerprints = keys.map(({ fingerprint }, index): [string, string] => [keyVariable(name, index), fingerprint])
  return new Map([[name, party], ...fingerprints])
}

async function allocate(name: string, hint: string, synchronizerId: string, call: Caller): Promise<string> {
  const allocated = await call('allocate-party', {
    partyIdHint: hint,
    identityProviderId: '',
    synchronizerId,
    userId: '',
  })
  const id = valueAt(allocated, '/partyDetails/party')
  if (typeof id !== 'string') throw new TargetError(`the answer to the allocation of party ${name} names no party`)
  return id
}

/** Performs the steps of the named fixtures in the order of their file. */
export async function makeFixtures(
  names: ReadonlySet<string>,
  variables: Variables,
  profile: Profile,
  session: Session,
): Promise<Fixtures> {
  const failed = new Map<string, string>()
  let known = variables
  for (const fixture of session.suite.fixtures.values()) {
    if (fixture.party || fixture.key || !names.has(fixture.name)) continue
    if (fixture.prepared) {
      known = withMembers(known, fixture.name, fixture.prepared)
      continue
    }
    const made = await makeFixture(fixture, known, profile, session)
    known = made.variables
    if (made.problem !== undefined) failed.set(fixture.name, made.problem)
  }
  return { variables: known, failed }
}

const withMembers = (variables: Variables, name: string, members: Readonly<Record<string, string>>): Variables =>
  new Map([...variables, ...Object.entries(members).map(([member, value]) => [`${name}.${member}`, value] as const)])

async function makeFixture(
  fixture: Fixture,
  variables: Variables,
  profile: Profile,
  session: Session,
): Promise<{ variables: Variables; problem?: string }> {
  // The marker keeps what the fixture sends apart from what rows send.
  const marked = new Map(variables).set('row', `${String(variables.get('run'))}-${fixture.name}`)
  let scope = withValues(fixture.values, marked, session.keys)
  for (const step of fixture.steps) {
    const done = await performStep(step, 'probe', scope, session)
    scope = done.variables
    const context = { profile, rules: session.suite.rules, variables: scope, operation: '', judged: [] }
    const { outcome, expectations } = judgeStep(step, done.evidence, context)
    const unmet = [...outcome, ...expectations].find(({ met }) => !met)
    if (unmet) {
      const told = done.evidence.response?.body.text?.slice(0, 300) ?? ''
      const problem = `${step.request}: expected ${unmet.subject} ${unmet.expected}, found ${unmet.actual} ${told}`
      return { variables, problem: problem.trim() }
    }
    if (done.missing.length > 0)
      return { variables, problem: `${step.request} did not give ${done.missing.join(', ')}` }
  }
  const made = new Map(scope)
  for (const name of ['row', ...fixture.values.keys()]) made.delete(name)
  return { variables: made }
}

/**
 * The fixtures that rows use, in their steps and in those of their probes, directly or through other fixtures; those that
 * others need come behind them.
 */
export function neededFixtures(rows: readonly Pick<PlannedRow, 'case' | 'row'>[], suite: Suite): Set<string> {
  const needed = new Set<string>()
  const add = (name: string): void => {
    const fixture = suite.fixtures.get(name)
    if (!fixture || needed.has(name)) return
    needed.add(name)
    for (const inner of namesIn([...fixture.values.values()])) add(inner)
    visit(fixture.steps)
  }
  const visit = (steps: readonly Step[]): void => {
    for (const name of steps.flatMap((step) => mentioned(step, suite))) add(name)
  }
  for (const { case: suiteCase, row } of rows) {
    for (const name of namesIn([...row.values.values()])) add(name)
    visit(stepsOfRow(suiteCase, row, suite).map(({ step }) => step))
  }
  return needed
}

/** Names of the fixtures whose variables a step uses: `${ping.contractId}` belongs to the fixture `ping`. */
function mentioned(step: Step, suite: Suite): string[] {
  const { headers, body } = step.verdict.expect
  const base = suite.requests.get(step.request)
  const token = step.token === undefined ? undefined : suite.tokens.get(step.token)
  const sendsBase = step.raw?.text === undefined && step.raw?.base64 === undefined
  return namesIn([
    sendsBase ? base?.body : undefined,
    base?.params,
    base?.query,
    token?.claims,
    step.raw,
    ...step.edit.values(),
    ...(headers?.values() ?? []),
    ...(body?.values() ?? []),
  ])
}

function namesIn(pieces: readonly unknown[]): string[] {
  const texts = pieces.map((data) => JSON.stringify(data) ?? '')
  return texts.flatMap((text) => [...text.matchAll(/\$\{([\w-]+)[\w.-]*\}/g)].map(([, name = '']) => name))
}
