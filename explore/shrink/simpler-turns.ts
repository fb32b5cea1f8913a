/** A turn made simpler in one way, the largest steps first: members that are left out, lists that are shorter, plainer values. */
import type { Data } from '../../record/resolved-row.js'
import { changedAt, dataAt, placesIn } from '../generate/disturb.js'
import { bodyOfTurn, type Turn } from '../talk/conversation.js'

/** Without its bounds a list is waited for, with each attempt. */
const lists: ReadonlySet<string> = new Set(['updates', 'completions'])

/** Lazily, as most are tried only when those before them did not do. */
export function* simplerTurns(turn: Turn): Generator<Turn> {
  const { request, calm } = turn
  if (calm) yield { ...calm, capture: turn.capture }
  if (request.wire) yield { ...turn, request: withoutWire(request) }
  if (turn.token) {
    const { token: _, ...plain } = turn
    yield plain
  }
  const body = bodyOfTurn(turn)
  if (body === undefined || lists.has(turn.operation)) return
  const places = placesIn(body).filter((place) => place.length > 0)
  for (const place of places.toSorted((a, b) => a.length - b.length)) {
    for (const change of changesOf(dataAt(body, place))) {
      const changed = changedAt(body, place, change)
      if (changed !== undefined) yield { ...turn, request: { ...request, body: { ...request.body, json: changed } } }
    }
  }
}

function withoutWire({ wire: _, ...plain }: Turn['request']): Turn['request'] {
  return plain
}

/** What could stand there instead; undefined: nothing at all. */
function changesOf(value: Data | undefined): ((old: Data) => Data | undefined)[] {
  const changes: ((old: Data) => Data | undefined)[] = [() => undefined]
  if (Array.isArray(value) && value.length > 1) changes.push((old) => (Array.isArray(old) ? old.slice(0, 1) : old))
  if (typeof value === 'string' && value.length > 12 && !value.includes('${') && !value.startsWith('#'))
    changes.push(() => 'x')
  return changes
}
