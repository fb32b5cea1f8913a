import type { Probe } from '../suite/suite.js'
import { stepsAt } from './expand-sequences.js'
import { type Entry, member, textAt } from './located.js'
import { readRules } from './read-matcher.js'
import { expectsSomething, flowStep, toStep } from './read-step.js'
import { readSteps } from './read-steps.js'
import type { Reading } from './reading.js'

export function readProbe({ name, key, value }: Entry, reading: Reading): Probe {
  const before = stepsAt(value, 'before', reading)
  const after = stepsAt(value, 'after', reading)
  const later = stepsAt(value, 'after-acceptance', reading)
  for (const branch of [after, later]) {
    reading.flows.push({ steps: [...before, ...branch].map(flowStep), ofProbe: name })
  }
  const steps = readSteps([...before, ...after, ...later], reading).map(toStep)
  const probe: Probe = {
    name,
    statement: textAt(value, 'statement'),
    rules: readRules(member(value, 'rules'), reading),
    before: steps.slice(0, before.length),
    after: steps.slice(before.length, before.length + after.length),
    afterAcceptance: steps.slice(before.length + after.length),
    location: key,
  }
  const branches = [probe.after, ...(later.length > 0 ? [probe.afterAcceptance] : [])]
  if (!branches.every((branch) => branch.some(expectsSomething))) {
    reading.findings.add(key, `the probe "${name}" expects nothing afterwards`, 'say "outcome" or "expect" in a step')
  }
  return probe
}
