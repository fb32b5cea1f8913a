import type { Turn } from '../talk/conversation.js'

const used = /\$\{([\w.-]+)\}/g

/** Names of the variables that a turn speaks of. */
export const variablesIn = ({ request }: Pick<Turn, 'request'>): Set<string> =>
  new Set([...JSON.stringify(request).matchAll(used)].map(([, name]) => name ?? ''))

/** The last turn, and those that capture what it and each other speak of. */
export function neededTurns(turns: readonly Turn[]): Turn[] {
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
export function withoutIdleCaptures(turns: readonly Turn[]): Turn[] {
  const wanted = new Set(turns.flatMap((turn) => [...variablesIn(turn)]))
  return turns.map((turn) => ({
    ...turn,
    capture: Object.fromEntries(Object.entries(turn.capture).filter(([name]) => wanted.has(name))),
  }))
}
