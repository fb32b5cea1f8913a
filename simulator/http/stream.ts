import type { JsonValue } from '../../lib/json/json.js'

/** Over HTTP one list, over a WebSocket messages. */
export interface Stream {
  openEnded: boolean
  /** Elements since the previous call. */
  next(): Iterable<JsonValue>
}

/** Lazy; drops undefined elements. */
export function* mapped<Item, Element>(
  items: Iterable<Item>,
  make: (item: Item) => Element | undefined,
): Iterable<Element> {
  for (const item of items) {
    const element = make(item)
    if (element !== undefined) yield element
  }
}
