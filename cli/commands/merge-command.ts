import { join } from 'node:path'
import { openRecord, planIn, type WrittenRecord } from '../../record/file/write-record.js'
import { type MergedRuns, mergeRecords } from '../../record/merge/merge-records.js'
import type { ExitCode } from '../console/exit-code.js'
import { readRun } from '../output/read-run.js'
import { recordNameOf } from '../output/record-names.js'
import { reportRun } from '../output/report-run.js'
import { openResults } from '../output/results-folder.js'
import { storeFacts } from '../output/run-history.js'

export interface MergeFlags {
  out: string
  baseline?: string
  color: boolean
}

/** Rejects with `MergeError`, `RecordError` and `UsageError`. */
export async function mergeCommand(runs: readonly string[], { out, baseline, color }: MergeFlags): Promise<ExitCode> {
  const parts = mergeRecords(await Promise.all(runs.map(readRun)))
  const earlier = baseline === undefined ? undefined : await readRun(baseline)
  const results = await openResults(out)
  try {
    const file = join(results.run, recordNameOf(1))
    const merged = await write(parts, file)
    const code = await reportRun(merged, file, results.run, color, { baseline: earlier })
    await storeFacts(merged, file)
    return code
  } finally {
    await results.release()
  }
}

async function write({ header, plan, rows, oracles, summary }: MergedRuns, file: string): Promise<WrittenRecord> {
  const writer = await openRecord(file, header, planIn(plan))
  try {
    await Promise.all(rows.map((row) => writer.row(row)))
    if (oracles) await writer.oracles(oracles)
    return await writer.close(summary)
  } finally {
    await writer.release()
  }
}
