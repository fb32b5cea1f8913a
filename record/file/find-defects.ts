import { type TallyResult, tallyOf } from '../judgements/tally.js'
import type { RunFooter, RunHeader, RunRow } from '../types/record.js'
import { countVerdicts } from '../types/verdict.js'

const namedIds = 10
/** Characters of JSON. */
const longestValue = 300

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
  // Older records lack newer verdicts, or the untested rules.
  const counts = { ...countVerdicts([]), ...footer.counts }
  const stated = { ...footer, counts, unexamined: footer.unexamined ?? found.unexamined }
  return (['counts', 'executed', 'complete', 'conforming', 'unexamined'] as const).flatMap((member) => {
    const [one, other] = [JSON.stringify(stated[member]), JSON.stringify(found[member])]
    if (one === other) return []
    // Long values begin with what they have in common.
    const start = one.split('').findIndex((unit, index) => unit !== other[index])
    return [`The footer states ${member} as ${shown(one, start)}, but the rows give ${shown(other, start)}.`]
  })
}

/** `start`: of the difference. */
const shown = (json: string, start: number): string =>
  json.length <= longestValue ? json : `… ${json.slice(Math.max(0, start), start + longestValue)} …`
