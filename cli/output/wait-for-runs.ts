/** `--alone-after`: rows that must run alone wait until the other shards end. */
import { stat } from 'node:fs/promises'
import { InputError } from '../../lib/files/file-errors.js'
import { parsed } from '../../lib/json/parsed.js'
import { UsageError } from '../../lib/usage-error.js'
import { streamLines } from '../../record/file/stream-lines.js'
import type { EarlyEnd } from '../../runner/transport/early-end.js'
import { recordOf } from './read-run.js'

/** Milliseconds between two checks. */
const pause = 500

/**
 * Waits for complete records with this seed, which earlier runs in the folders lack. Throws `UsageError` without a
 * seed.
 */
export function waitFor(folders: readonly string[], seed: string | undefined): (end: EarlyEnd) => Promise<void> {
  if (seed === undefined) throw new UsageError('alone-after: add the same --seed to all shards; it identifies the run')
  return async (end) => {
    for (const folder of folders) {
      let read: number | undefined
      while (!end.decided) {
        const path = await recordOf(folder)
        const size = (await stat(path).catch(() => undefined))?.size
        if (size !== read && (await hasEnded(path, seed))) break
        read = size
        await end.pause(pause)
      }
    }
  }
}

async function hasEnded(path: string, seed: string): Promise<boolean> {
  let [first, last] = ['', '']
  try {
    for await (const { number, text = '' } of streamLines(path)) {
      if (number === 1) first = text
      last = text
    }
  } catch (error) {
    if (error instanceof InputError) return false
    throw error
  }
  const header: { type?: unknown; seed?: unknown } = Object(parsed(first))
  const footer: { type?: unknown } = Object(parsed(last))
  return header.type === 'header' && header.seed === seed && footer.type === 'footer'
}
