/** Makes a conversation as short and as plain as it can be while the two sides still differ in the same way. */

import type { Data } from '../../record/types/resolved-row.js'
import { changedAt, dataAt, placesIn } from '../generate/alter-request.js'
import { bodyOfTurn, type Turn } from '../send/step.js'
import { waits, withLaterLook, withLookAtOnce } from './later-read.js'

/** Whether both sides, asked anew, differ at the last of these turns as they did before. */
export type StillDiffers = (turns: readonly Turn[]) => Promise<boolean>

interface Budget {
  attempts: number
  /** Of `performance.now()`. */
  until: number
}

export interface Shrunk {
  turns: Turn[]
  attempts: number
  /** It only shows to those who wait. */
  isLate: boolean
}

/** `turns` end with the one at which the sides differ. */
export async function shrink(turns: readonly Turn[], stillDiffers: StillDiffers, budget: Budget): Promise<Shrunk> {
  const shrinking = new Shrinking(turns, stillDiffers, budget)
  await shrinking.hurry()
  await shrinking.shorten()
  await shrinking.waitLonger()
  await shrinking.simplify()
  // What plainer turns no longer speak of need not be there either.
  await shrinking.shorten()
  await shrinking.hurry()
  return {
    turns: withoutIdleCaptures(shrinking.best).map(asSent),
    attempts: shrinking.attempts,
    isLate: shrinking.isLate,
  }
}

/** What it would have been is nobody's business any more. */
const asSent = ({ calm: _, ...turn }: Turn): Turn => turn

/** Turns that are no trouble to read. */
const few = 4

class Shrinking {
  best: Turn[]
  attempts = 0
  isLate = false
  readonly #stillDiffers: StillDiffers
  readonly #budget: Budget

  constructor(turns: readonly Turn[], stillDiffers: StillDiffers, budget: Budget) {
    this.best = [...turns]
    this.#stillDiffers = stillDiffers
    this.#budget = budget
  }

  /** Fewer turns: those that others need, then without more and more of them. */
  async shorten(): Promise<void> {
    const needed = neededTurns(this.best)
    if (needed.length < this.best.length) await this.#attempt(needed)
    for (const candidate of retargeted(this.best)) if (this.#isLeft() && (await this.#attempt(candidate))) break
    for (let size = this.best.length >> 1; size >= 1 && this.#isLeft(); size >>= 1) {
      for (let from = this.best.length - 1 - size; from >= 0 && this.#isLeft(); from -= size) {
        await this.#attempt(this.best.filter((_, index) => index < from || index >= from + size))
      }
    }
  }

  /** Nobody waits for what is there at once. */
  async hurry(): Promise<void> {
    const hasty = withLookAtOnce(this.best)
    this.isLate = hasty !== undefined && !(await this.#attempt(hasty))
  }

  /** Kept only where it makes for fewer turns. */
  async waitLonger(): Promise<void> {
    for (const milliseconds of waits) {
      const earlier = this.best
      const patient = withLaterLook(earlier, milliseconds)
      if (!patient || earlier.length <= few || !this.#isLeft()) continue
      if (await this.#attempt(patient)) await this.shorten()
      if (this.best.length === earlier.length) this.best = earlier
    }
  }

  /** Plainer turns, the last one first: it is the one that is read. */
  async simplify(): Promise<void> {
    for (let at = this.best.length - 1; at >= 0; at -= 1) while (await this.#simplifyOnce(at));
  }

  async #simplifyOnce(at: number): Promise<boolean> {
    const turn = this.best[at]
    if (!turn) return false
    for (const simpler of simplerTurns(turn)) {
      if (!this.#isLeft()) return false
      if (await this.#attempt(this.best.with(at, simpler))) return true
      for (const events of eventsLost(turn, simpler)) {
        const shifted = this.best
          .with(at, simpler)
          .map((one, index) => (index > at ? withEarlierEvents(one, events) : one))
        if (this.#isLeft() && (await this.#attempt(shifted))) return true
      }
    }
    return false
  }

  #isLeft(): boolean {
    return this.attempts < this.#budget.attempts && performance.now() < this.#budget.until
  }

  async #attempt(candidate: readonly Turn[]): Promise<boolean> {
    this.attempts += 1
    if (!(await this.#stillDiffers(candidate))) return false
    this.best = [...candidate]
    return true
  }
}

// What a transaction shows stands further to the front when it does less.

/** Events of a command that are likely. */
const likely = [1, 2, 3]

/** How many events may be missing when one turn stands in place of another; none where it has as many commands. */
const eventsLost = (turn: Turn, simpler: Turn): readonly number[] =>
  commandsIn(simpler) < commandsIn(turn) ? likely : []

function commandsIn(turn: Turn): number {
  const body = bodyOfTurn(turn)
  const commands = typeof body === 'object' && body !== null && !Array.isArray(body) ? body['commands'] : undefined
  return Array.isArray(commands) ? commands.length : 0
}

/** The turn that captures from events so much further to the front. */
const withEarlierEvents = (turn: Turn, count: number): Turn => ({
  ...turn,
  capture: Object.fromEntries(
    Object.entries(turn.capture).map(([name, pointer]) => [
      name,
      pointer.replace(/(\/events\/)(\d+)/, (whole, before: string, index: string) =>
        Number(index) >= count ? `${before}${Number(index) - count}` : whole,
      ),
    ]),
  ),
})

// A turn made simpler in one way, the largest steps first: members that are left out, lists that are shorter, plainer values.

/** Without its bounds a list is waited for, with each attempt. */
const lists: ReadonlySet<string> = new Set(['updates', 'completions'])

/** Lazily, as most are tried only when those before them did not do. */
function* simplerTurns(turn: Turn): Generator<Turn> {
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

/** A conversation that ends with the same request about something that was there earlier, so that it takes fewer turns to get there. */
interface Capture {
  name: string
  /** Of which kind the captured value is. */
  member: string
  at: number
}

/** Those that are shorter, the shortest first; each has only the turns that it takes. */
function retargeted(turns: readonly Turn[]): Turn[][] {
  const last = turns.at(-1)
  if (!last) return []
  const captures = turns.flatMap((turn, at) =>
    Object.entries(turn.capture).map(
      ([name, pointer]): Capture => ({ name, member: pointer.slice(pointer.lastIndexOf('/')), at }),
    ),
  )
  const spokenOf = variablesIn(last)
  const needed = neededTurns(turns).length
  return captures
    .filter(({ name }) => spokenOf.has(name))
    .flatMap(({ name, member, at }) =>
      captures
        .filter((other) => other.member === member && other.at < at && !other.name.includes('.'))
        .flatMap((other) => askedByOthers(speakingOf(last, name, other.name)))
        .map((turn) => neededTurns([...turns.slice(0, -1), turn])),
    )
    .filter((candidate) => candidate.length < needed)
    .toSorted((a, b) => a.length - b.length)
}

/** Who may see one contract may not see another: the turn as it is, and with each other party in place of each. */
function askedByOthers(turn: Turn): Turn[] {
  const spokenOf = variablesIn(turn)
  const present = parties.filter((name) => spokenOf.has(name))
  return [
    turn,
    ...present.flatMap((name) =>
      parties.filter((other) => other !== name).map((other) => speakingOf(turn, name, other)),
    ),
  ]
}

const parties: readonly string[] = ['alice', 'bob', 'carol']

/** What belongs to a variable has its name and a dot before its own. */
function speakingOf(turn: Turn, name: string, other: string): Turn {
  const text = JSON.stringify(turn.request)
    .replaceAll(`\${${name}}`, `\${${other}}`)
    .replaceAll(`\${${name}.`, `\${${other}.`)
  return { ...turn, request: JSON.parse(text) as Turn['request'] } // the same, with other names in it
}

const used = /\$\{([\w.-]+)\}/g

/** Names of the variables that a turn speaks of. */
const variablesIn = ({ request }: Pick<Turn, 'request'>): Set<string> =>
  new Set([...JSON.stringify(request).matchAll(used)].map(([, name]) => name ?? ''))

/** The last turn, and those that capture what it and each other speak of. */
function neededTurns(turns: readonly Turn[]): Turn[] {
  const wanted = new Set<string>()
  return turns
    .toReversed()
    .filter((turn, index) => {
      const isNeeded = index === 0 || Object.keys(turn.capture).some((name) => wanted.has(name))
      if (isNeeded) for (const name of variablesIn(turn)) wanted.add(name)
      return isNeeded
    })
    .reverse()
}

/** The turns without captures that nothing speaks of. */
function withoutIdleCaptures(turns: readonly Turn[]): Turn[] {
  const wanted = new Set(turns.flatMap((turn) => [...variablesIn(turn)]))
  return turns.map((turn) => ({
    ...turn,
    capture: Object.fromEntries(Object.entries(turn.capture).filter(([name]) => wanted.has(name))),
  }))
}
