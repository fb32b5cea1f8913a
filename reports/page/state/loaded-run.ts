import { useEffect, useState } from 'preact/hooks'
import type { PageRow, PageRun, RowDetails } from '../../formats/page-data.js'
import { visible } from '../../wording/hostile-text.js'

export interface LoadedRun extends PageRun {
  /** By the key in links: the id, with a number for a repeated id. */
  byKey: Map<string, PageRow>
  keyOf(row: PageRow): string
  details(row: PageRow): Promise<RowDetails>
  /** Undefined before they are unpacked. */
  detailsNow(row: PageRow): RowDetails | undefined
}

type GetBlock = (index: number) => Promise<RowDetails[]>

function loadedRun(run: PageRun, getBlock: GetBlock): LoadedRun {
  const keys = new Map<PageRow, string>()
  const indexes = new Map<PageRow, number>()
  const byKey = new Map<string, PageRow>()
  for (const [index, row] of run.rows.entries()) {
    // Addresses contain the escaped id.
    const name = visible(row.id)
    let key = name
    for (let again = 2; byKey.has(key); again += 1) key = `${name}~${again}`
    keys.set(row, key)
    indexes.set(row, index)
    byKey.set(key, row)
  }
  const requested = new Map<number, Promise<RowDetails[]>>()
  const ready = new Map<number, RowDetails[]>()
  const block = (index: number): Promise<RowDetails[]> => {
    const known = requested.get(index)
    if (known) return known
    const promise = getBlock(index).then((details) => {
      ready.set(index, details)
      return details
    })
    requested.set(index, promise)
    return promise
  }
  const nothing: RowDetails = { steps: [], judgements: [], evidence: [] }
  const indexOf = (row: PageRow) => indexes.get(row) ?? 0
  return {
    ...run,
    byKey,
    keyOf: (row) => keys.get(row) ?? row.id,
    details: async (row) => {
      const details = await block(Math.floor(indexOf(row) / run.blockSize))
      return details[indexOf(row) % run.blockSize] ?? nothing
    },
    detailsNow: (row) => ready.get(Math.floor(indexOf(row) / run.blockSize))?.[indexOf(row) % run.blockSize],
  }
}

export async function unpackRun(): Promise<LoadedRun | undefined> {
  const element = document.getElementById('run')
  if (!element) return undefined
  const blocks = [...document.querySelectorAll('.run-details')]
  const run = (await unpack(element.textContent ?? '')) as PageRun // our own packing, in the same file
  return loadedRun(run, async (index) => {
    const packed = blocks[index]?.textContent ?? ''
    return (await unpack(packed)) as RowDetails[] // our own packing, in the same file
  })
}

async function unpack(base64: string): Promise<unknown> {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'))
  return new Response(stream).json()
}

/** Undefined while details are unpacked. Throws for damaged details. */
export function useDetails(run: LoadedRun, row: PageRow): RowDetails | undefined {
  const [details, setDetails] = useState(() => run.detailsNow(row))
  const [problem, setProblem] = useState<Error>()
  useEffect(() => {
    let isWanted = true
    run.details(row).then(
      (found) => isWanted && setDetails(found),
      (error: unknown) => isWanted && setProblem(new Error('the details of the row are damaged', { cause: error })),
    )
    return () => {
      isWanted = false
    }
  }, [run, row])
  if (problem) throw problem
  return details
}
