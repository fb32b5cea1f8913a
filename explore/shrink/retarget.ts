/** A conversation that ends with the same request about something that was there earlier, so that it takes fewer turns to get there. */
import type { Turn } from '../talk/conversation.js'
import { neededTurns, variablesIn } from './needed-turns.js'

interface Capture {
  name: string
  /** Of which kind the captured value is. */
  member: string
  at: number
}

/** Those that are shorter, the shortest first; each has only the turns that it takes. */
export function retargeted(turns: readonly Turn[]): Turn[][] {
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
