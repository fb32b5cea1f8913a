import type { Fixture } from '../suite.js'
import { type Entry, member, textAt } from './located.js'
import { sequenceStep, toStep } from './read-step.js'
import { readSteps, stepsAt } from './read-steps.js'
import type { Reading } from './reading.js'

export function readFixture({ name, key, value }: Entry, reading: Reading): Fixture {
  const party = member(value, 'party')
  if (party) return { name, party: { hint: textAt(party, 'hint') }, steps: [], place: key }
  const nodes = stepsAt(value, 'steps')
  reading.sequences.push({ steps: nodes.map(sequenceStep), fixture: name })
  return { name, steps: readSteps(nodes, reading).map(toStep), place: key }
}
