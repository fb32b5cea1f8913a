/** Earlier runs whose evidence a certificate adds to its own run (`--also`). */
import { restrictionsOf } from '../../certificate/restrictions.js'
import { inputBytes } from '../../lib/files/read-input.js'
import { openOutput } from '../../lib/files/write-output.js'
import type { RunRecord } from '../../record/types/record.js'
import { UsageError } from '../console/usage-error.js'
import { isComplete, partsOf, readParts } from './read-run.js'

export interface AlsoRun {
  file: string
  record: RunRecord
}

/** Reads runs of the whole suite by the rules of `certify`. Rejects with `UsageError` and `RecordError`. */
export async function readAlso(paths: readonly string[]): Promise<AlsoRun[]> {
  const found: AlsoRun[] = []
  for (const path of paths) {
    const [[file = path], [record, ...others]] = await Promise.all([partsOf(path), readParts(path)])
    if (!record) throw new UsageError(`also: ${path} contains no run`)
    if (others.length > 0)
      throw new UsageError(`also: ${path} has several configurations; list them under configurations in a target file`)
    if (!isComplete(record)) throw new UsageError(`also: ${path} is not the record of a completed run; run it again`)
    const [forbidden] = restrictionsOf(record.header).filter(({ isForbidden }) => isForbidden)
    if (forbidden) throw new UsageError(`also: ${path} cannot be used, because ${forbidden.what}; run the whole suite`)
    found.push({ file, record })
  }
  return found
}

/** Copies the record byte by byte, so that its digests stay valid. Rejects with `InputError` and `OutputError`. */
export async function copyRecord({ file }: AlsoRun, to: string): Promise<void> {
  const output = await openOutput(to)
  try {
    for await (const bytes of inputBytes(file, 'a run record')) await output.copy(bytes)
  } finally {
    await output.close()
  }
}
