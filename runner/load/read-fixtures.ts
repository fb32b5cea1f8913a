/** Fixtures and probes: named steps that rows refer to. */
import { preparedHash } from '../../interface/prepared-transaction/hash.js'
import { omitUndefined } from '../../lib/omit-undefined.js'
import type { Shapes } from '../suite/shapes.js'
import type { Fixture, Probe } from '../suite/suite.js'
import type { FindingList } from '../yaml/findings.js'
import { composed, type Entry, keyLocation, locationOf, valueLocation } from '../yaml/locations.js'
import { expectsSomething, flowStep, readSteps, stepsAt } from './read-step.js'
import { lineageOf, type Reading, valueSteps, valuesOf, valuesOfRow } from './reading.js'

export function readFixture({ name, value, location }: Entry<Shapes['fixture']>, reading: Reading): Fixture {
  const { party, key, prepared, controls, keeps } = value
  const shapes = stepsAt(value.steps, reading)
  const values = valuesOf(value)
  reading.flows.push({ steps: [...valueSteps(values), ...shapes.map(flowStep)], fixture: name })
  if (prepared) checkPrepared(prepared, reading.findings)
  return {
    name,
    ...omitUndefined({
      party: party && partyOf(party),
      key,
      prepared: prepared && { transaction: prepared.transaction, hash: prepared.hash },
      controls,
      keeps,
    }),
    values: valuesOfRow(undefined, values, reading.findings),
    steps: readSteps(shapes, reading.findings),
    location,
  }
}

function partyOf({ hint, keys = [], threshold = 1, everywhere }: Shapes['party']): NonNullable<Fixture['party']> {
  const [first, ...more] = keys
  return first === undefined
    ? { hint, ...(everywhere && { everywhere }) }
    : { hint, external: { keys: [first, ...more], threshold } }
}

/** Rows use the hash as a known value. */
function checkPrepared(prepared: Shapes['prepared'], findings: FindingList): void {
  const { transaction, hash, scheme } = prepared
  const own = preparedHash(transaction, scheme)
  if (own === hash) return
  if (own === undefined)
    findings.add(locationOf(prepared), 'this is not a prepared transaction', 'give its bytes as base64')
  else {
    const message = `this is not the hash of the transaction under scheme ${scheme}`
    findings.add(valueLocation(prepared, 'hash'), message, `the hash is ${own}`)
  }
}

export function readProbe({ name, value, location }: Entry<Shapes['probe']>, reading: Reading): Probe {
  const before = stepsAt(value.before, reading)
  const after = stepsAt(value.after, reading)
  const later = stepsAt(value['after-acceptance'], reading)
  for (const branch of [after, later]) {
    reading.flows.push({ steps: [...before, ...branch].map(flowStep), ofProbe: name })
  }
  const steps = readSteps([...before, ...after, ...later], reading.findings)
  const probe: Probe = {
    name,
    rules: value.rules ?? [],
    before: steps.slice(0, before.length),
    after: steps.slice(before.length, before.length + after.length),
    afterAcceptance: steps.slice(before.length + after.length),
    location,
  }
  const branches = [probe.after, ...(later.length > 0 ? [probe.afterAcceptance] : [])]
  if (!branches.every((branch) => branch.some(expectsSomething))) {
    const message = `the probe "${name}" has no expectation after the row`
    reading.findings.add(location, message, 'add "outcome" or "expect" to a step')
  }
  return probe
}

/** Omits a probe that extends an unknown probe or itself. */
export function extendProbes(
  probes: readonly Entry<Shapes['probe']>[],
  findings: FindingList,
): Entry<Shapes['probe']>[] {
  const byName = new Map(probes.map((probe) => [probe.name, probe]))
  return probes.flatMap((probe) => {
    const lineage = lineageOf(probe, byName, (cycle) =>
      findings.add(keyLocation(probe.value, 'extends'), `probes extend each other in a cycle: ${cycle}`),
    )
    if (!lineage) return []
    const parts = lineage.map(({ value }) => value)
    const { extends: _, ...value } = Object.assign({}, ...parts) as Shapes['probe'] // of probes
    return [{ ...probe, value: composed(value, [probe.value, ...parts], locationOf(probe.value)) }]
  })
}
