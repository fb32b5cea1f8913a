import { type Entry, entriesOf, entry } from './located.js'
import { type Reading, refer } from './reading.js'

/**
 * Probes with everything that they take from those they extend: what a probe says itself counts instead. One that extends
 * nothing that is there, or in the end itself, is a finding, and left out.
 */
export function extendProbes(probes: readonly Entry[], reading: Reading): Entry[] {
  const byName = new Map(probes.map((probe) => [probe.name, probe]))
  return probes.flatMap((probe) => {
    const lineage = lineageOf(probe, byName, reading)
    if (!lineage) return []
    const said = lineage.flatMap(({ value }) => entriesOf(value).filter(({ name }) => name !== 'extends'))
    return [{ ...probe, value: { ...probe.value, content: new Map(said.map((one) => [one.name, one])) } }]
  })
}

/** From the outermost ancestor to the probe itself. */
function lineageOf(probe: Entry, probes: ReadonlyMap<string, Entry>, reading: Reading): Entry[] | undefined {
  const lineage = [probe]
  const own = entry(probe.value, 'extends')
  for (let extended = own; extended; ) {
    const parent = probes.get(refer(reading, 'probe', extended.value))
    if (!parent) return undefined
    lineage.unshift(parent)
    if (parent === probe) {
      const ring = lineage.map(({ name }) => name).reverse()
      reading.findings.add(own?.key ?? probe.key, `probes extend each other in a ring: ${ring.join(' -> ')}`)
    }
    if (lineage.indexOf(parent, 1) > 0) return undefined
    extended = entry(parent.value, 'extends')
  }
  return lineage
}
