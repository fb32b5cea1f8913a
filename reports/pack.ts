import { promisify } from 'node:util'
import { deflateRaw } from 'node:zlib'
import { outgoing } from '../lib/outgoing.js'
import type { RunRecord } from '../record/record.js'
import { pageRun } from './page-data.js'

/** A run, packed for the page: JSON, deflated, in base64. The page unpacks the blocks of details one by one. */
export interface PackedRun {
  run: string
  details: string[]
}

export async function packRun(record: RunRecord, bodyLimit: number): Promise<PackedRun> {
  const { run, details } = pageRun(record, bodyLimit)
  const blocks: Promise<string>[] = []
  for (let from = 0; from < details.length; from += run.blockSize) {
    blocks.push(pack(details.slice(from, from + run.blockSize)))
  }
  return { run: await pack(run), details: await Promise.all(blocks) }
}

const deflate = promisify(deflateRaw)

/** Deflated in threads of their own, while other reports are written. */
const pack = async (value: unknown): Promise<string> =>
  (await deflate(outgoing(JSON.stringify(value)))).toString('base64')

/** Characters that a packed run adds to the page. */
export const packedSize = ({ run, details }: PackedRun): number =>
  details.reduce((sum, block) => sum + block.length, run.length)
