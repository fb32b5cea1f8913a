import { type Located, member, textAt } from '../yaml/located.js'
import { readStepParts, type StepText } from './read-step.js'
import { type Reading, refer } from './reading.js'

/**
 * Steps in order, each with a name of its own: those that are not named take that of their request, numbered where it
 * occurs again. A name that is given twice is a finding.
 */
export function readSteps(nodes: readonly Located[], reading: Reading): StepText[] {
  const taken = new Set<string>()
  return nodes.map((node) => {
    const parts = readStepParts(node, reading)
    const request = readRequestName(node, reading)
    const named = member(node, 'name')
    if (named && parts.name !== undefined && taken.has(parts.name)) {
      reading.findings.add(named.location, `another step is already called "${parts.name}"`, 'choose another name')
    }
    const name = parts.name ?? freeName(request, taken)
    taken.add(name)
    return { ...parts, name, request, location: node.location }
  })
}

/** The base request that a step, or a case of one step, names. */
export function readRequestName(node: Located, reading: Reading): string {
  const name = textAt(node, 'request')
  refer(reading, 'request', member(node, 'request'))
  return name
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name
  for (let count = 2; taken.has(free); count += 1) free = `${name} ${count}`
  return free
}
