/**
 * Named sequences of steps: `{ sequence: NAME }` in a list of steps stands for them, and `with` says what differs in one of
 * them. They are written out before anything is read, so that all the rest of the loader sees plain steps.
 */
import { suggestion } from '../../lib/suggest.js'
import { type Entry, entriesOf, entry, itemsOf, type Located, member, optionalText, textOf } from '../yaml/located.js'
import { type Reading, refer } from './reading.js'

/** The steps under a name, with all sequences among them written out. */
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

/** Steps that are not named are called after their request. */
const nameOf = (step: Located): string => optionalText(step, 'name') ?? optionalText(step, 'request') ?? ''

/** What is wrong with the step among others is wrong where the sequence is used. */
function usedAt({ location }: Located, step: Located): Located {
  const request = entry(step, 'request')
  const placed = request && { ...request, value: { location, content: textOf(request.value) } }
  return { location, content: mapOf([...entriesOf(step), ...(placed ? [placed] : [])]) }
}

/** Maps are merged name by name, lists are joined, and whatever else the difference says counts instead. */
function merged(base: Located, difference: Located): Located {
  if (Array.isArray(base.content) && Array.isArray(difference.content)) {
    return { location: base.location, content: [...base.content, ...difference.content] }
  }
  if (!(base.content instanceof Map) || !(difference.content instanceof Map)) return difference
  const changed = entriesOf(difference).map((own): Entry => {
    const known = entry(base, own.name)
    return known && isMerged.has(own.name) ? { ...own, value: merged(known.value, own.value) } : own
  })
  return { location: base.location, content: mapOf([...entriesOf(base), ...changed]) }
}

/** Members of a step that say several things at once; what stands in them is merged no deeper, save expectations. */
const isMerged: ReadonlySet<string> = new Set(['edit', 'remove', 'capture', 'expect', 'body', 'headers'])

const mapOf = (entries: readonly Entry[]): Map<string, Entry> => new Map(entries.map((one) => [one.name, one]))
