import { type TallyResult, tallyOf } from '../judgements/tally.js'
import type { RunFooter, RunHeader, RunRow } from '../types/record.js'
import { verdicts } from '../types/verdict.js'

const namedIds = 10

interface ReadRecord {
  rows: RunRow[]
  footer: RunFooter | undefined
  digest: string | undefined
}

export function findDefects(header: RunHeader, { rows, footer, digest }: ReadRecord): string[] {
  const seen = new Set<string>()
  const duplicates = new Set<string>()
  for (const { id } of rows) (seen.has(id) ? duplicates : seen).add(id)
  const defects: string[] = []
  if (rows.length !== header.plan.length) {
    defects.push(`The plan has ${header.plan.length} rows, but the record contains ${rows.length}.`)
  }
  if (duplicates.size > 0) {
    const named = [...duplicates].slice(0, namedIds).join(', ')
    defects.push(`${duplicates.size} row ids occur more than once: ${named}.`)
  }
  if (!footer) return [...defects, 'The record has no footer: the run was interrupted, or is still running.']
  if (footer.digest !== digest) {
    defects.push('The digest in the footer differs from that of the lines: the record was changed after the run.')
  }
  return [...defects, ...wrongFooter(footer, tallyOf(header, rows))]
}

function wrongFooter(footer: RunFooter, found: TallyResult): string[] {
  // Older records lack newer verdicts.
  const counts = verdicts
    .filter((verdict) => (footer.counts[verdict] ?? 0) !== found.counts[verdict])
    .map(
      (verdict) =>
        `The footer counts ${footer.counts[verdict] ?? 0} ${verdict}, but the rows count ${found.counts[verdict]}.`,
    )
  const unknown = Object.keys(footer.counts).filter((name) => !(verdicts as readonly string[]).includes(name)) // of any name
  if (unknown.length > 0) counts.push(`The footer counts unknown verdicts: ${unknown.slice(0, namedIds).join(', ')}.`)
  const others = (['executed', 'complete', 'conforming'] as const)
    .filter((member) => footer[member] !== found[member])
    .map((member) => `The footer states ${member}: ${footer[member]}, and the rows give ${found[member]}.`)
  const unexamined =
    footer.unexamined === undefined || JSON.stringify(footer.unexamined) === JSON.stringify(found.unexamined)
      ? []
      : [
          `The footer lists ${footer.unexamined.length} untested mandatory rules, and the rows give ${found.unexamined.length}, or other ones.`,
        ]
  return [...counts, ...others, ...unexamined]
}
