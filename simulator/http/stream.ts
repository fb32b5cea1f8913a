import type { JsonValue } from '../../lib/json/json.js'

/** An answer that may go on: over a WebSocket message by message, over HTTP as one list. */
export interface Stream {
  /** Whether more elements may follow. */
  openEnded: boolean
  /** The elements since the previous call, oldest first. They are made while they are read. */
  next(): Iterable<JsonValue>
}

/** What a function makes of each item, made when it is read; items of which it makes nothing are left out. */
export function* mapped<Item, Element>(
  items: Iterable<Item>,
  make: (item: Item) => Element | undefined,
): Iterable<Element> {
  for (const item of items) {
    const element = make(item)
    if (element !== undefined) yield element
  }
}
