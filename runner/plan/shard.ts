import { createHash } from 'node:crypto'
import type { ResolvedRow } from '../../record/types/resolved-row.js'

/** One of several parts of a run, each of which can run on a machine of its own. */
export interface Shard {
  /** From 1. */
  index: number
  of: number
  /** The target gives presigned transactions, each of which can be executed once. */
  presigned?: boolean
}

/**
 * Which part a row is in: by its id alone, so that it stays there whatever else is selected. Rows that no other may be beside, that
 * may stop the target, or that share transactions are all in the last one.
 */
export function shardOf(row: Pick<ResolvedRow, 'id' | 'alone' | 'impact' | 'steps'>, { of, presigned }: Shard): number {
  const isTogether =
    row.alone || row.impact === 'hazard' || (presigned === true && row.steps.some((step) => step.presignable))
  return isTogether ? of : 1 + (createHash('sha256').update(row.id).digest().readUInt32BE(0) % of)
}

/** The part that a text such as `2/3` names; undefined where it names none. */
export function readShard(text: string): Shard | undefined {
  const [, index, of] = /^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? []
  const shard = { index: Number(index), of: Number(of) }
  return shard.index >= 1 && shard.index <= shard.of ? shard : undefined
}
