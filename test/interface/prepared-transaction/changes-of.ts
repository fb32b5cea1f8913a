/** A copy of a tree with one change, and the place of the change. */
export interface Change<T> {
  place: string
  changed: T
}

/**
 * One copy for each single change: a leaf changed, a list reversed, a list without its last item. Keeps `kind`s and
 * undefined.
 */
export function* changesOf<T>(tree: T, place = ''): Generator<Change<T>> {
  for (const { place: at, changed } of untyped(tree, place)) yield { place: at, changed: changed as T } // same shape
}

function* untyped(tree: unknown, place: string): Generator<Change<unknown>> {
  if (Buffer.isBuffer(tree)) yield { place, changed: Buffer.from(tree.map((byte, at) => (at === 0 ? byte ^ 1 : byte))) }
  else if (Array.isArray(tree)) yield* inList(tree, place)
  else if (typeof tree === 'object' && tree !== null) yield* inRecord(tree, place)
  else if (typeof tree === 'string') yield { place, changed: `${tree}00` }
  else if (typeof tree === 'bigint') yield { place, changed: tree + 1n }
  else if (typeof tree === 'number') yield { place, changed: tree + 1 }
  else if (typeof tree === 'boolean') yield { place, changed: !tree }
}

function* inList(list: readonly unknown[], place: string): Generator<Change<unknown>> {
  if (list.length > 1) yield { place: `${place} reversed`, changed: list.toReversed() }
  if (list.length > 0) yield { place: `${place} shortened`, changed: list.slice(0, -1) }
  for (const [index, item] of list.entries()) {
    for (const change of untyped(item, `${place}.${index}`)) {
      yield { place: change.place, changed: list.with(index, change.changed) }
    }
  }
}

function* inRecord(record: object, place: string): Generator<Change<unknown>> {
  for (const [name, item] of Object.entries(record)) {
    if (name === 'kind') continue
    for (const change of untyped(item, place === '' ? name : `${place}.${name}`)) {
      yield { place: change.place, changed: { ...record, [name]: change.changed } }
    }
  }
}
