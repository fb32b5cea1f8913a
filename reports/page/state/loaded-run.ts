import type { PageRow, PageRun, RowDetails } from '../../formats/page-row.js'
import { visible } from '../../wording/hostile-text.js'

export interface LoadedRun extends PageRun {
  /** By the key in links: the id, with a number for a repeated id. */
  byKey: Map<string, PageRow>
  keyOf(row: PageRow): string
}

function loadedRun(run: PageRun): LoadedRun {
  const keys = new Map<PageRow, string>()
  const byKey = new Map<string, PageRow>()
  for (const row of run.rows) {
    // Addresses contain the escaped id.
    const name = visible(row.id)
    let key = name
    for (let again = 2; byKey.has(key); again += 1) key = `${name}~${again}`
    keys.set(row, key)
    byKey.set(key, row)
  }
  return { ...run, byKey, keyOf: (row) => keys.get(row) ?? row.id }
}

/** `packed`: text of the element `run`. */
export async function unpackRun(packed: string): Promise<LoadedRun> {
  return loadedRun(JSON.parse(await unpack(packed)) as PageRun) // our own packing, in the same file
}

/**
 * JSON of the details of each row, in their order. As text, they need less memory than as objects. `packed`: text of the
 * element `details`.
 */
export const unpackDetails = async (packed: string): Promise<string[]> => (await unpack(packed)).split('\n')

/** `lines`: of `unpackDetails`. Throws for damaged details. */
export function detailsIn(lines: readonly string[], index: number): RowDetails {
  try {
    return JSON.parse(lines[index] ?? '') as RowDetails // our own packing, in the same file
  } catch (cause) {
    throw new Error('the details of the row are damaged', { cause })
  }
}

async function unpack(base64: string): Promise<string> {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'))).text()
}
