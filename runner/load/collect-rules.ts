/** The text of the interface as the suite has it: its outline, and the rules and unspecified behaviours that name its passages. */
import type { Suite } from '../suite/suite.js'
import { type ShapedFile, soundItems } from './check-shape.js'
import { readSection, readText } from './read-outline.js'
import { operationsOf, readRule, readUnspecified } from './read-rules.js'
import { addUnique, type Reading } from './reading.js'

export function collectRules(
  files: readonly ShapedFile[],
  reading: Reading,
): Pick<Suite, 'text' | 'outline' | 'rules' | 'unspecified'> {
  const outlines = files.filter(({ kind }) => kind === 'outline')
  const outline = outlines.flatMap((file) => soundItems(file, 'outline').map(readSection))
  const text = outlines.filter(({ broken }) => broken.size === 0).flatMap(({ root }) => readText(root) ?? [])[0]
  const rules: Suite['rules'] = new Map()
  const unspecified: Suite['unspecified'] = new Map()
  for (const file of files.filter(({ kind }) => kind === 'rules')) {
    const operations = operationsOf(soundItems(file, 'operations'))
    for (const node of soundItems(file, 'rules')) {
      const rule = readRule(node, operations, reading)
      addUnique(rules, rule.id, rule, 'rule', reading.findings)
    }
    for (const node of soundItems(file, 'unspecified')) {
      const behaviour = readUnspecified(node, reading)
      addUnique(unspecified, behaviour.id, behaviour, 'unspecified behaviour', reading.findings)
    }
  }
  return { ...(text && { text }), outline, rules, unspecified }
}
