/** `conform merge`: merges the shards of a run and writes its reports. */
import { join } from 'node:path'
import { openRecord, type WrittenRecord } from '../../record/file/write-record.js'
import { type MergedRuns, mergeRecords } from '../../record/merge/merge-records.js'
import type { ExitCode } from '../console/exit-code.js'
import { readRun } from '../output/read-run.js'
import { reportRun } from '../output/report-run.js'
import { openResults, recordName } from '../output/results-folder.js'

export interface MergeFlags {
  out: string
  /** An earlier run: only regressions against it fail this run. */
  baseline?: string
  color: boolean
}

/** Has the exit codes of `run`. Rejects with `MergeError`, `RecordError` and `UsageError`. */
export async function mergeCommand(runs: readonly string[], { out, baseline, color }: MergeFlags): Promise<ExitCode> {
  const parts = mergeRecords(await Promise.all(runs.map(readRun)))
  const earlier = baseline === undefined ? undefined : await readRun(baseline)
  const results = await openResults(out)
  try {
    const file = join(results.run, recordName)
    return await reportRun(await write(parts, file), file, results.run, color, { baseline: earlier })
  } finally {
    await results.release()
  }
}

async function write({ header, plan, rows, summary }: MergedRuns, file: string): Promise<WrittenRecord> {
  const writer = await openRecord(file, header, plan)
  try {
    for (const row of rows) await writer.row(row)
    return await writer.close(summary)
  } finally {
    await writer.release()
  }
}
