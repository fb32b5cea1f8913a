import { type TallyResult, tallyOf } from '../judgements/tally.js'
import type { RunFooter, RunHeader, RunRow } from '../types/record.js'
import { verdicts } from '../types/verdict.js'

/** Ids beyond these are only counted. */
const namedIds = 10

/** What was read of a record; `plan` is the number of its plan lines, `digest` that of the lines before the footer. */
interface ReadRecord {
  plan: number
  rows: RunRow[]
  footer: RunFooter | undefined
  digest: string | undefined
}

/** Why the record as a whole must not be taken as one, each reason as a sentence: its lines by themselves may be good. */
export function findDefects(header: RunHeader, { plan, rows, footer, digest }: ReadRecord): string[] {
  const tally = tallyOf(header, rows)
  const defects: string[] = []
  if (plan !== header.planned) defects.push(`${header.planned} rows were planned, and ${plan} have a plan line.`)
  if (rows.length !== header.planned) {
    defects.push(`The plan has ${header.planned} rows, and ${rows.length} are recorded.`)
  }
  if (tally.duplicates.size > 0) {
    const named = [...tally.duplicates].slice(0, namedIds).join(', ')
    defects.push(`${tally.duplicates.size} row ids occur more than once: ${named}.`)
  }
  if (!footer) return [...defects, 'The record has no footer: the run was interrupted, or is still running.']
  if (footer.digest !== digest) {
    defects.push('The digest in the footer differs from that of the lines: the record was changed after the run.')
  }
  return [...defects, ...wrongFooter(footer, tally.result())]
}

function wrongFooter(footer: RunFooter, found: TallyResult): string[] {
  const counts = verdicts
    // A record of a time before a verdict was known has no count of it.
    .filter((verdict) => (footer.counts[verdict] ?? 0) !== found.counts[verdict])
    .map(
      (verdict) =>
        `The footer counts ${footer.counts[verdict] ?? 0} ${verdict}, and the rows give ${found.counts[verdict]}.`,
    )
  const others = (['executed', 'complete', 'conforming'] as const)
    .filter((member) => footer[member] !== found[member])
    .map((member) => `The footer states ${member}: ${footer[member]}, and the rows give ${found[member]}.`)
  const unexamined =
    footer.unexamined === undefined || footer.unexamined.join() === found.unexamined.join()
      ? []
      : [
          `The footer lists ${footer.unexamined.length} untested mandatory rules, and the rows give ${found.unexamined.length}, or other ones.`,
        ]
  return [...counts, ...others, ...unexamined]
}
