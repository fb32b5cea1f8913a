import type { ExplorationRecord } from '../record/types/exploration.js'
import { historySvg } from './histories/history-svg.js'
import type { Exploration } from './run-exploration.js'

/** The exploration as reports and others have it. */
export function recordOf(
  explored: Exploration,
  told: Pick<ExplorationRecord, 'tool' | 'target' | 'model' | 'startedAt'>,
): ExplorationRecord {
  const { profile, seed, seconds, conversations, exchanges, rounds, findings, histories, divergences } = explored
  return {
    ...told,
    profile: { name: profile },
    ...{ seed, seconds, conversations, requests: exchanges, rounds },
    findings: findings.map(
      ({ difference, turns, ruling, signature: _, attempts: __, shrunkAfter: ___, askedBefore: ____, ...finding }) => ({
        ...finding,
        ruling: { ...ruling },
        operation: turns.at(-1)?.operation ?? '',
        pointer: difference.pointer,
        requests: turns.map(({ about, actor }) => `${about}, as ${actor}`),
      }),
    ),
    histories: histories.map((history) => ({
      ...{ id: history.id, sentence: history.sentence, rules: history.rules, longest: history.longest },
      ...{ times: history.times, of: history.of, seenAfter: history.seenAfter, svg: historySvg(history) },
      calls: history.calls.map(({ client, about, said }) => ({ client, about, said })),
    })),
    divergences: divergences.map(({ points: _, ...divergence }) => divergence),
    permitted: Object.fromEntries(explored.permitted),
    unconfirmed: Object.fromEntries(explored.unconfirmed),
    outcomes: counted(explored.outcomes, (operation, said) => ({ operation, said })),
    values: counted(explored.values, (operation, rest) => {
      const [member = '', ...words] = rest.split(' ')
      return { operation, member, valueClass: words.join(' ') }
    }),
  }
}

/** Names begin with an operation; the most frequent come first. */
const counted = <Named>(
  counts: ReadonlyMap<string, number>,
  named: (operation: string, rest: string) => Named,
): (Named & { count: number })[] =>
  [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, count]) => {
      const [operation = '', ...rest] = name.split(' ')
      return { ...named(operation, rest.join(' ')), count }
    })
