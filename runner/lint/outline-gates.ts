import { suggestion } from '../../interface/suggest.js'
import type { FindingList } from '../load/finding-list.js'
import type { Origin, Section, Suite } from '../suite/suite.js'

/**
 * Rules and open points name places that the text of the interface has, and every place of it is named by one of them or
 * has a reason why it is not. A suite without an outline has nothing to be held against.
 */
export function checkOutline({ outline, rules, openPoints }: Suite, findings: FindingList): void {
  if (outline.length === 0) return
  const sections = new Map(outline.map((section) => [section.name, section]))
  const origins = [...rules.values(), ...openPoints.values()].flatMap((one) => one.origins)
  for (const origin of origins) checkOrigin(origin, sections, findings)
  const named = new Set(origins.map(keyOf))
  for (const section of outline) checkSection(section, named, findings)
}

const keyOf = ({ section, name }: Pick<Origin, 'section' | 'name'>): string => `${section} > ${name}`

function checkOrigin(
  { section, name, location }: Origin,
  sections: ReadonlyMap<string, Section>,
  findings: FindingList,
): void {
  const known = sections.get(section)
  if (!known) {
    findings.add(location, `the outline has no section "${section}"`, suggestion(section, sections.keys()))
  } else if (!known.places.some((one) => one.name === name)) {
    const names = known.places.map((one) => one.name)
    findings.add(location, `the section "${section}" has no place "${name}"`, suggestion(name, names))
  }
}

function checkSection({ name, places, withoutRule }: Section, named: ReadonlySet<string>, findings: FindingList): void {
  for (const one of places) {
    const isNamed = named.has(keyOf({ section: name, name: one.name }))
    const excused = withoutRule.get(one.name)
    if (isNamed && excused) {
      findings.add(excused.location, `a rule names "${one.name}" of "${name}"`, 'take the reason why none does away')
    } else if (!isNamed && !excused) {
      const message = `no rule and no open point names "${one.name}" of "${name}"`
      findings.add(one.location, message, 'write one, or say in "without-rule" why none has to')
    }
  }
  for (const [missing, { location }] of withoutRule) {
    if (places.some((one) => one.name === missing)) continue
    const names = places.map((one) => one.name)
    findings.add(location, `the section "${name}" has no place "${missing}"`, suggestion(missing, names))
  }
}
