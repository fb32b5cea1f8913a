import type { EndedEarly } from '../../record/types/reason.js'
import type { RunRecord } from '../../record/types/record.js'
import { shellWord } from '../../reports/wording/shell.js'

const interruptions: readonly EndedEarly['cause'][] = ['interrupted', 'time-over', 'target-gone']

/** The last line of an interrupted run; undefined for other runs. `settings`: the file that the run wrote. */
export function continuation(record: RunRecord, folder: string, settings: string): string | undefined {
  const cause = record.footer?.ended?.cause
  if (cause === undefined || !interruptions.includes(cause)) return undefined
  if (record.header.target.embedded)
    return 'A run on the embedded simulator cannot be continued, because the simulator has ended. Start a new run.'
  return `continue with: conform run --resume ${shellWord(folder)} --settings ${shellWord(settings)}`
}
