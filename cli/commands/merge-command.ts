import { join } from 'node:path'
import { openRecord, type WrittenRecord } from '../../record/file/write-record.js'
import { type MergedRuns, mergeRecords } from '../../record/merge/merge-records.js'
import type { ExitCode } from '../console/exit-code.js'
import { readRun } from '../output/read-run.js'
import { recordNameOf } from '../output/record-names.js'
import { reportRun } from '../output/report-run.js'
import { openResults } from '../output/results-folder.js'
import { readFacts, writeSummary } from '../output/run-facts.js'

export interface MergeFlags {
  out: string
  baseline?: string
  color: boolean
}

/** Rejects with `UsageError` and `RecordError`. */
export async function mergeCommand(runs: readonly string[], { out, baseline, color }: MergeFlags): Promise<ExitCode> {
  const parts = mergeRecords(await Promise.all(runs.map(readRun)))
  const earlier = baseline === undefined ? undefined : await readFacts(baseline)
  const results = await openResults(out)
  try {
    const file = join(results.run, recordNameOf(1))
    const merged = await write(parts, file)
    const code = await reportRun(merged, file, results.run, color, { baseline: earlier })
    await writeSummary(merged, file)
    return code
  } finally {
    await results.release()
  }
}

async function write({ header, rows, oracles, summary }: MergedRuns, file: string): Promise<WrittenRecord> {
  const writer = await openRecord(file, header)
  try {
    await Promise.all(rows.map((row) => writer.row(row)))
    if (oracles) await writer.oracles(oracles)
    return await writer.close(summary)
  } finally {
    await writer.release()
  }
}
