/** Replaces `{ sequence: NAME }` in lists of steps by the steps of the sequence, merged with the differences under `with`. */
import { suggestion } from '../../lib/suggest.js'
import {
  type Entry,
  entriesOf,
  entry,
  itemsOf,
  type Located,
  mapOf,
  member,
  optionalText,
  textOf,
} from '../yaml/located.js'
import { type Reading, refer } from './reading.js'

/** The steps under a name, with sequences expanded. */
export const stepsAt = (node: Located, name: string, reading: Reading): Located[] =>
  itemsOf(member(node, name)).flatMap((item) => {
    const named = member(item, 'sequence')
    return named ? expandedSteps(item, named, reading) : [item]
  })

function expandedSteps(item: Located, named: Located, reading: Reading): Located[] {
  const steps = reading.sequences.get(refer(reading, 'sequence', named))?.steps ?? []
  const differences = member(item, 'with')
  const names = steps.map(nameOf)
  for (const { name, key } of steps.length > 0 ? entriesOf(differences) : []) {
    if (names.includes(name)) continue
    reading.findings.add(key, `the sequence has no step "${name}"`, suggestion(name, names))
  }
  return steps.map((step) => {
    const difference = differences && member(differences, nameOf(step))
    return usedAt(item, difference ? merged(step, difference) : step)
  })
}

/** By default, a step has the name of its request. */
const nameOf = (step: Located): string => optionalText(step, 'name') ?? optionalText(step, 'request') ?? ''

/** Findings about the step in its context are reported where the sequence is used. */
function usedAt({ location }: Located, step: Located): Located {
  const request = entry(step, 'request')
  const placed = request && { ...request, value: { location, content: textOf(request.value) } }
  return { location, content: mapOf([...entriesOf(step), ...(placed ? [placed] : [])]) }
}

/** Merges maps by name and joins lists; other values replace. */
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

/** Members that are merged; others replace. */
const mergedMembers: ReadonlySet<string> = new Set(['edit', 'remove', 'capture', 'expect', 'body', 'headers'])
