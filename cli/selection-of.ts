import { isFailure } from '../reports/rows.js'
import type { Selection } from '../runner/plan/select.js'
import { readShard, type Shard } from '../runner/plan/shard.js'
import type { RunSettings } from '../runner/target/read-settings.js'
import type { TargetAccess } from '../runner/target/target-file.js'
import { readRun } from './read-run.js'
import { UsageError } from './usage-error.js'

/** Which rows are meant by the settings. Throws `UsageError`, and `RecordError` where the run whose failures are meant cannot be read. */
export async function selectionOf(
  said: RunSettings,
  { presigned }: Pick<TargetAccess, 'presigned'>,
): Promise<Selection> {
  const { operations, only, not, impact, failedOf, shard } = said
  return {
    ...(operations && { operations }),
    ...(only && { only }),
    ...(not && { not }),
    ...(impact && { impact }),
    ...(failedOf !== undefined && { failedOf: await failedIn(failedOf) }),
    ...(shard !== undefined && { shard: { ...partOf(shard), presigned: presigned.length > 0 } }),
  }
}

async function failedIn(path: string): Promise<Selection['failedOf'] & object> {
  const { header, rows } = await readRun(path)
  return { run: header.run, ids: new Set(rows.filter(isFailure).map(({ id }) => id)) }
}

function partOf(text: string): Shard {
  const shard = readShard(text)
  if (shard) return shard
  throw new UsageError(`shard: expected a part of several, from 1, as 2/3, and not ${text}`)
}
