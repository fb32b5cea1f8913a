/** What a transaction shows stands further to the front when it does less. */
import { bodyOfTurn, type Turn } from '../talk/conversation.js'

/** Events of a command that are likely. */
const likely = [1, 2, 3]

/** How many events may be missing when one turn stands in place of another; none where it has as many commands. */
export const eventsLost = (turn: Turn, simpler: Turn): readonly number[] =>
  commandsIn(simpler) < commandsIn(turn) ? likely : []

function commandsIn(turn: Turn): number {
  const body = bodyOfTurn(turn)
  const commands = typeof body === 'object' && body !== null && !Array.isArray(body) ? body['commands'] : undefined
  return Array.isArray(commands) ? commands.length : 0
}

/** The turn that captures from events so much further to the front. */
export const withEarlierEvents = (turn: Turn, count: number): Turn => ({
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
