import type { FindingList } from '../load/finding-list.js'
import type { Suite } from '../suite/suite.js'

/** Longer lines are hard to read in an editor, and so is what differs in them. */
const widest = 140

/** Lines of suite files that nobody reads to their end. */
export function checkLineWidth({ texts }: Suite, findings: FindingList): void {
  for (const [file, text] of texts ?? []) {
    for (const [index, line] of text.split(/\r?\n/).entries()) {
      const width = [...line].length
      if (width <= widest) continue
      const hint =
        'write maps and lists one member to a line, and a long text as ">-", or quoted with "\\" at the ends of lines'
      findings.add(
        { file, line: index + 1, column: widest + 1 },
        `the line has ${width} characters, and ${widest} are the limit`,
        hint,
      )
    }
  }
}
