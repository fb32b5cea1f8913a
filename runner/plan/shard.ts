import { createHash } from 'node:crypto'
import type { ResolvedRow } from '../../record/types/resolved-row.js'

export interface Shard {
  /** From 1. */
  index: number
  of: number
  presigned?: boolean
}

/** The last shard has rows that run alone, hazards, and rows with presigned transactions. */
export function shardOf(row: ResolvedRow, { of, presigned }: Shard): number {
  const isTogether =
    row.alone || row.impact === 'hazard' || (presigned === true && row.steps.some((step) => step.presignable))
  return isTogether ? of : 1 + (createHash('sha256').update(row.id).digest().readUInt32BE(0) % of)
}

/** Reads `2/3`; undefined for an invalid shard. */
export function readShard(text: string): Shard | undefined {
  const [, index, of] = /^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? []
  const shard = { index: Number(index), of: Number(of) }
  return shard.index >= 1 && shard.index <= shard.of ? shard : undefined
}
