import { type Entry, entriesOf, entry } from './located.js'
import { type Reading, refer } from './reading.js'

/**
 * A probe with everything that it takes from the one it extends: what it says itself counts instead. Probes that extend
 * each other in a ring are findings; `probes`: all of them by name.
 */
export function extendProbe(probe: Entry, probes: ReadonlyMap<string, Entry>, reading: Reading): Entry {
  const line = [probe]
  for (let current = probe; ; ) {
    const extended = entry(current.value, 'extends')
    const parent = extended && probes.get(refer(reading, 'probe', extended.value))
    if (!parent) break
    if (line.includes(parent)) {
      const ring = [...line, parent].map(({ name }) => name)
      if (parent === probe)
        reading.findings.add(extended.key, `probes extend each other in a ring: ${ring.join(' -> ')}`)
      break
    }
    line.push(parent)
    current = parent
  }
  const said = line.toReversed().flatMap(({ value }) => entriesOf(value).filter(({ name }) => name !== 'extends'))
  return { ...probe, value: { ...probe.value, content: new Map(said.map((one) => [one.name, one])) } }
}
