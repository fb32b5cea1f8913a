/** Fixtures and probes: named steps that rows refer to. */
import { preparedHash } from '../../interface/prepared-transaction/hash.js'
import type { Shapes } from '../suite/shapes.js'
import type { Fixture, Probe } from '../suite/suite.js'
import { dataOf, type Entry, entriesOf, entry, type Located, mapOf, member, omitUndefined } from '../yaml/located.js'
import { readRules } from './read-matcher.js'
import { expectsSomething, flowStep, readSteps, stepsAt, toStep } from './read-step.js'
import { lineageOf, type Reading, refer, valueSteps, valuesOf, valuesOfRow } from './reading.js'

export function readFixture({ name, key: location, value }: Entry<Shapes['fixture']>, reading: Reading): Fixture {
  const { party, key, prepared, controls, keeps } = dataOf(value)
  const nodes = stepsAt(member(value, 'steps'), reading)
  const values = valuesOf(value)
  reading.flows.push({ steps: [...valueSteps(values), ...nodes.map(flowStep)], fixture: name })
  checkPrepared(member(value, 'prepared'), reading)
  return {
    name,
    ...omitUndefined({
      party: party && partyOf(party),
      key,
      prepared: prepared && { transaction: prepared.transaction, hash: prepared.hash },
      controls,
      keeps,
    }),
    values: valuesOfRow(undefined, values, reading),
    steps: readSteps(nodes, reading).map(toStep),
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
function checkPrepared(node: Located<Shapes['prepared']> | undefined, { findings }: Reading): void {
  if (!node) return
  const { transaction, hash, scheme } = dataOf(node)
  const own = preparedHash(transaction, scheme)
  const location = member(node, 'hash')?.location ?? node.location
  if (own === undefined) findings.add(node.location, 'this is not a prepared transaction', 'give its bytes as base64')
  else if (own !== hash)
    findings.add(location, `this is not the hash of the transaction under scheme ${scheme}`, `the hash is ${own}`)
}

export function readProbe({ name, key, value }: Entry<Shapes['probe']>, reading: Reading): Probe {
  const before = stepsAt(member(value, 'before'), reading)
  const after = stepsAt(member(value, 'after'), reading)
  const later = stepsAt(member(value, 'after-acceptance'), reading)
  for (const branch of [after, later]) {
    reading.flows.push({ steps: [...before, ...branch].map(flowStep), ofProbe: name })
  }
  const steps = readSteps([...before, ...after, ...later], reading).map(toStep)
  const probe: Probe = {
    name,
    statement: dataOf(value).statement ?? '',
    rules: readRules(member(value, 'rules'), reading),
    before: steps.slice(0, before.length),
    after: steps.slice(before.length, before.length + after.length),
    afterAcceptance: steps.slice(before.length + after.length),
    location: key,
  }
  const branches = [probe.after, ...(later.length > 0 ? [probe.afterAcceptance] : [])]
  if (!branches.every((branch) => branch.some(expectsSomething))) {
    const message = `the probe "${name}" has no expectation after the row`
    reading.findings.add(key, message, 'add "outcome" or "expect" to a step')
  }
  return probe
}

/** Omits a probe that extends an unknown probe or itself. */
export function extendProbes(probes: readonly Entry<Shapes['probe']>[], reading: Reading): Entry<Shapes['probe']>[] {
  const byName = new Map(probes.map((probe) => [probe.name, probe]))
  return probes.flatMap((probe) => {
    const parentOf = ({ value }: Entry<Shapes['probe']>) => refer(reading, 'probe', member(value, 'extends'))
    const lineage = lineageOf(probe, parentOf, byName, (cycle) =>
      reading.findings.add(
        entry(probe.value, 'extends')?.key ?? probe.key,
        `probes extend each other in a cycle: ${cycle}`,
      ),
    )
    if (!lineage) return []
    const entries = lineage.flatMap(({ value }) => entriesOf(value).filter(({ name }) => name !== 'extends'))
    return [{ ...probe, value: { ...probe.value, content: mapOf(entries) } }]
  })
}
