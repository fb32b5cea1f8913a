import { suggestion } from '../../interface/suggest.js'
import type { FindingList } from '../load/finding-list.js'
import type { Passage, Section, Suite } from '../suite/suite.js'

/**
 * Rules and unspecified behaviours name passages that the text of the interface has, and every passage of it is named by one of them or
 * has a reason why it is not. A suite without an outline has nothing to be held against.
 */
export function checkOutline({ outline, rules, unspecified }: Suite, findings: FindingList): void {
  if (outline.length === 0) return
  const sections = new Map(outline.map((section) => [section.name, section]))
  const passages = [...rules.values(), ...unspecified.values()].flatMap((one) => one.passages)
  for (const passage of passages) checkPassage(passage, sections, findings)
  const named = new Set(passages.map(keyOf))
  for (const section of outline) checkSection(section, named, findings)
}

const keyOf = ({ section, name }: Pick<Passage, 'section' | 'name'>): string => `${section} > ${name}`

function checkPassage(
  { section, name, location }: Passage,
  sections: ReadonlyMap<string, Section>,
  findings: FindingList,
): void {
  const known = sections.get(section)
  if (!known) {
    findings.add(location, `the outline has no section "${section}"`, suggestion(section, sections.keys()))
  } else if (!known.passages.some((one) => one.name === name)) {
    const names = known.passages.map((one) => one.name)
    findings.add(location, `the section "${section}" has no passage "${name}"`, suggestion(name, names))
  }
}

function checkSection(
  { name, passages, withoutRule }: Section,
  named: ReadonlySet<string>,
  findings: FindingList,
): void {
  for (const one of passages) {
    const isNamed = named.has(keyOf({ section: name, name: one.name }))
    const excused = withoutRule.get(one.name)
    if (isNamed && excused) {
      findings.add(excused.location, `a rule names "${one.name}" of "${name}"`, 'take the reason why none does away')
    } else if (!isNamed && !excused) {
      const message = `no rule and no unspecified behaviour names "${one.name}" of "${name}"`
      findings.add(one.location, message, 'write one, or say in "without-rule" why none has to')
    }
  }
  for (const [missing, { location }] of withoutRule) {
    if (passages.some((one) => one.name === missing)) continue
    const names = passages.map((one) => one.name)
    findings.add(location, `the section "${name}" has no passage "${missing}"`, suggestion(missing, names))
  }
}
