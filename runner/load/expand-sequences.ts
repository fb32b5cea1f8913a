/** Replaces `{ sequence: NAME }` by the steps of the sequence, merged with the differences under `with`. */
import { suggestion } from '../../lib/suggest.js'
import type { Shapes } from '../suite/shapes.js'
import { dataOf, type Entry, entriesOf, entry, itemsOf, type Located, mapOf, member } from '../yaml/located.js'
import type { StepNode } from './read-step.js'
import { type Reading, refer } from './reading.js'

type ItemNode = Located<Shapes['item']>

export const stepsAt = (list: Located<Shapes['item'][]> | undefined, reading: Reading): StepNode[] =>
  itemsOf(list).flatMap((item) => (member(item, 'sequence') ? expandedSteps(item, reading) : [item as StepNode])) // by schema

function expandedSteps(item: ItemNode, reading: Reading): StepNode[] {
  const steps = reading.sequences.get(refer(reading, 'sequence', member(item, 'sequence')) ?? '')?.steps ?? []
  const differences = member(item, 'with')
  const names = steps.map(nameOf)
  for (const { name, key } of steps.length > 0 ? entriesOf(differences) : []) {
    if (names.includes(name)) continue
    reading.findings.add(key, `the sequence has no step "${name}"`, suggestion(name, names))
  }
  return steps.map((step) => {
    const difference = differences && member(differences, nameOf(step))
    // By schema.
    return usedAt(item, difference ? (merged(step, difference) as StepNode) : step)
  })
}

function nameOf(node: StepNode): string {
  const { request, name = request } = dataOf(node)
  return name
}

/** Findings about the context are reported where the sequence is used. */
function usedAt({ location }: ItemNode, step: StepNode): StepNode {
  const request = entry(step, 'request')
  const placed = request && { ...request, value: { ...request.value, location } }
  return { location, content: mapOf([...entriesOf(step), ...(placed ? [placed] : [])]) }
}

function merged(base: Located, difference: Located): Located {
  if (Array.isArray(base.content) && Array.isArray(difference.content)) {
    return { location: base.location, content: [...base.content, ...difference.content] }
  }
  if (!(base.content instanceof Map) || !(difference.content instanceof Map)) return difference
  const changed = entriesOf(difference).map((own): Entry => {
    const known = entry(base, own.name)
    return known && mergedMembers.has(own.name) ? { ...own, value: merged(known.value, own.value) } : own
  })
  return { location: base.location, content: mapOf([...entriesOf(base), ...changed]) }
}

const mergedMembers: ReadonlySet<string> = new Set(['edit', 'remove', 'capture', 'expect', 'body', 'headers'])
