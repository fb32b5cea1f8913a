import type { Data } from '../../record/types/resolved-row.js'
import { placesIn, replacedAt } from '../generate/alter-request.js'
import { bodyMembers, bodyOfStep, type Step } from '../send/step.js'

/** Repeats the steps; true if the last one differs as before. */
export type CheckDifference = (steps: readonly Step[]) => Promise<boolean>

interface Budget {
  attempts: number
  /** On the clock of `performance.now()`. */
  until: number
}

export interface Minimized {
  steps: Step[]
  attempts: number
  /** The difference requires a delay before the ledger is read. */
  isLate: boolean
}

export async function minimize(
  steps: readonly Step[],
  stillDiffers: CheckDifference,
  budget: Budget,
): Promise<Minimized> {
  const minimization = new Minimization(steps, stillDiffers, budget)
  await minimization.removeDelay()
  await minimization.shorten()
  await minimization.addDelay()
  await minimization.simplify()
  await minimization.shorten()
  await minimization.removeDelay()
  return {
    steps: withoutUnusedCaptures(minimization.best).map(withoutOriginal),
    attempts: minimization.attempts,
    isLate: minimization.isLate,
  }
}

const withoutOriginal = ({ original: _, ...step }: Step): Step => step

/** Sequences up to this length have no delay. */
const shortLength = 4

class Minimization {
  best: Step[]
  attempts = 0
  isLate = false
  readonly #stillDiffers: CheckDifference
  readonly #budget: Budget

  constructor(steps: readonly Step[], stillDiffers: CheckDifference, budget: Budget) {
    this.best = [...steps]
    this.#stillDiffers = stillDiffers
    this.#budget = budget
  }

  /** Removes all unneeded steps, then ever smaller blocks. */
  async shorten(): Promise<void> {
    const needed = neededSteps(this.best)
    if (needed.length < this.best.length) await this.#attempt(needed)
    for (const candidate of retargeted(this.best)) if (this.#hasBudget() && (await this.#attempt(candidate))) break
    for (let size = this.best.length >> 1; size >= 1 && this.#hasBudget(); size >>= 1) {
      for (let from = this.best.length - 1 - size; from >= 0 && this.#hasBudget(); from -= size) {
        await this.#attempt(this.best.filter((_, index) => index < from || index >= from + size))
      }
    }
  }

  async removeDelay(): Promise<void> {
    const immediate = withImmediateRead(this.best)
    this.isLate = immediate !== undefined && !(await this.#attempt(immediate))
  }

  /** Keeps a delay only if it permits fewer steps. */
  async addDelay(): Promise<void> {
    for (const milliseconds of readDelays) {
      const earlier = this.best
      const delayed = withLaterRead(earlier, milliseconds)
      if (!delayed || earlier.length <= shortLength || !this.#hasBudget()) continue
      if (await this.#attempt(delayed)) await this.shorten()
      if (this.best.length === earlier.length) this.best = earlier
    }
  }

  /** Starts with the last step, which shows the difference. */
  async simplify(): Promise<void> {
    for (let at = this.best.length - 1; at >= 0; at -= 1) while (await this.#simplifyOnce(at));
  }

  async #simplifyOnce(at: number): Promise<boolean> {
    const step = this.best[at]
    if (!step) return false
    for (const simpler of simplerSteps(step)) {
      if (!this.#hasBudget()) return false
      if (await this.#attempt(this.best.with(at, simpler))) return true
      for (const events of removedEvents(step, simpler)) {
        const shifted = this.best
          .with(at, simpler)
          .map((one, index) => (index > at ? withEarlierEvents(one, events) : one))
        if (this.#hasBudget() && (await this.#attempt(shifted))) return true
      }
    }
    return false
  }

  #hasBudget(): boolean {
    return this.attempts < this.#budget.attempts && performance.now() < this.#budget.until
  }

  async #attempt(candidate: readonly Step[]): Promise<boolean> {
    this.attempts += 1
    if (!(await this.#stillDiffers(candidate))) return false
    this.best = [...candidate]
    return true
  }
}

// Late effects: with fewer steps the final read must wait for them.

/** Milliseconds. */
export const readDelays: readonly number[] = [300, 1200, 2500]

/** Undefined if no step reads the ledger end, or if it waits as long. */
export function withLaterRead(steps: readonly Step[], milliseconds: number): Step[] | undefined {
  const at = steps.findLastIndex(readsEnd)
  const read = steps[at]
  if (!read || (read.after ?? 0) >= milliseconds) return undefined
  return steps.with(at, { ...read, about: `read the ledger end after ${milliseconds} ms`, after: milliseconds })
}

function withImmediateRead(steps: readonly Step[]): Step[] | undefined {
  const at = steps.findLastIndex((step) => readsEnd(step) && step.after !== undefined)
  const { after: _, ...read } = steps[at] ?? {}
  return 'about' in read ? steps.with(at, { ...read, about: 'read the ledger end' }) : undefined
}

const readsEnd = ({ operation, capture }: Step): boolean => operation === 'ledger-end' && 'end' in capture

// Fewer commands have fewer events, so later events move.

/** Probable numbers of events of one command. */
const likelyEvents = [1, 2, 3]

const removedEvents = (step: Step, simpler: Step): readonly number[] =>
  countCommands(simpler) < countCommands(step) ? likelyEvents : []

function countCommands(step: Step): number {
  const { commands } = bodyMembers(step)
  return Array.isArray(commands) ? commands.length : 0
}

const withEarlierEvents = (step: Step, count: number): Step => ({
  ...step,
  capture: Object.fromEntries(
    Object.entries(step.capture).map(([name, pointer]) => [
      name,
      pointer.replace(/(\/events\/)(\d+)/, (whole, before: string, index: string) =>
        Number(index) >= count ? `${before}${Number(index) - count}` : whole,
      ),
    ]),
  ),
})

/** Without its bounds, a list operation waits for its timeout. */
const lists: ReadonlySet<string> = new Set(['updates', 'completions'])

/** The largest simplification comes first. Lazy, as most callers use few. */
function* simplerSteps(step: Step): Generator<Step> {
  const { request, original } = step
  if (original) yield { ...original, capture: step.capture }
  if (request.wire) {
    const { wire: _, ...plain } = request
    yield { ...step, request: plain }
  }
  if (step.token) {
    const { token: _, ...plain } = step
    yield plain
  }
  const body = bodyOfStep(step)
  if (body === undefined || lists.has(step.operation)) return
  const depth = (pointer: string): number => pointer.split('/').length
  for (const { pointer, value } of placesIn(body).toSorted((a, b) => depth(a.pointer) - depth(b.pointer)))
    for (const simpler of simplerValues(value))
      yield { ...step, request: { ...request, body: { ...request.body, json: replacedAt(body, pointer, simpler) } } }
}

/** Undefined removes the value. */
function simplerValues(value: Data): (Data | undefined)[] {
  if (Array.isArray(value) && value.length > 1) return [undefined, value.slice(0, 1)]
  const isLong = typeof value === 'string' && value.length > 12 && !value.includes('${') && !value.startsWith('#')
  return isLong ? [undefined, 'x'] : [undefined]
}

interface Capture {
  name: string
  member: string
  at: number
}

/** The last request about an earlier value; the shortest sequences come first. */
function retargeted(steps: readonly Step[]): Step[][] {
  const last = steps.at(-1)
  if (!last) return []
  const captures = steps.flatMap((step, at) =>
    Object.entries(step.capture).map(
      ([name, pointer]): Capture => ({ name, member: pointer.slice(pointer.lastIndexOf('/')), at }),
    ),
  )
  const used = variablesIn(last)
  const needed = neededSteps(steps).length
  return captures
    .filter(({ name }) => used.has(name))
    .flatMap(({ name, member, at }) =>
      captures
        .filter((other) => other.member === member && other.at < at && !other.name.includes('.'))
        .flatMap((other) => withOtherParties(withVariable(last, name, other.name)))
        .map((step) => neededSteps([...steps.slice(0, -1), step])),
    )
    .filter((candidate) => candidate.length < needed)
    .toSorted((a, b) => a.length - b.length)
}

/** Other parties may see the other contract. */
function withOtherParties(step: Step): Step[] {
  const used = variablesIn(step)
  const present = parties.filter((name) => used.has(name))
  return [
    step,
    ...present.flatMap((name) =>
      parties.filter((other) => other !== name).map((other) => withVariable(step, name, other)),
    ),
  ]
}

const parties: readonly string[] = ['alice', 'bob', 'carol']

function withVariable(step: Step, name: string, other: string): Step {
  const text = JSON.stringify(step.request)
    .replaceAll(`\${${name}}`, `\${${other}}`)
    .replaceAll(`\${${name}.`, `\${${other}.`)
  return { ...step, request: JSON.parse(text) as Step['request'] } // the same, with other names in it
}

const variablesIn = ({ request }: Pick<Step, 'request'>): Set<string> =>
  new Set([...JSON.stringify(request).matchAll(/\$\{([\w.-]+)\}/g)].map(([, name]) => name ?? ''))

function neededSteps(steps: readonly Step[]): Step[] {
  const needed = new Set<string>()
  return steps
    .toReversed()
    .filter((step, index) => {
      const isNeeded = index === 0 || Object.keys(step.capture).some((name) => needed.has(name))
      if (isNeeded) for (const name of variablesIn(step)) needed.add(name)
      return isNeeded
    })
    .reverse()
}

function withoutUnusedCaptures(steps: readonly Step[]): Step[] {
  const used = new Set(steps.flatMap((step) => [...variablesIn(step)]))
  return steps.map((step) => ({
    ...step,
    capture: Object.fromEntries(Object.entries(step.capture).filter(([name]) => used.has(name))),
  }))
}
