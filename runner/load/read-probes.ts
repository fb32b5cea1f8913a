import type { Probe } from '../suite/suite.js'
import { type Entry, itemsOf, member, textAt } from './located.js'
import { expectsSomething, sequenceStep, toStep } from './read-step.js'
import { readSteps, stepsAt } from './read-steps.js'
import { type Reading, refer } from './reading.js'

export function readProbe({ name, key, value }: Entry, reading: Reading): Probe {
  const before = stepsAt(value, 'before')
  const after = stepsAt(value, 'after')
  const later = stepsAt(value, 'after-acceptance')
  for (const branch of [after, later]) {
    reading.sequences.push({ steps: [...before, ...branch].map(sequenceStep), ofProbe: name })
  }
  const steps = readSteps([...before, ...after, ...later], reading).map(toStep)
  const probe: Probe = {
    name,
    statement: textAt(value, 'statement'),
    rules: itemsOf(member(value, 'rules')).map((rule) => refer(reading, 'rule', rule)),
    before: steps.slice(0, before.length),
    after: steps.slice(before.length, before.length + after.length),
    afterAcceptance: steps.slice(before.length + after.length),
    place: key,
  }
  const branches = [probe.after, ...(later.length > 0 ? [probe.afterAcceptance] : [])]
  if (!branches.every((branch) => branch.some(expectsSomething))) {
    reading.findings.add(
      key,
      `the probe "${name}" expects nothing afterwards`,
      'say "accepted: true" or "expect" in a step',
    )
  }
  return probe
}
