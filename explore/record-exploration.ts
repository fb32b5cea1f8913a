import type { ExplorationRecord } from '../record/types/exploration.js'
import { historySvg } from './histories/history-svg.js'
import type { Finding } from './judge/finding.js'
import type { Exploration } from './run-exploration.js'

export function recordOf(
  exploration: Exploration,
  header: Pick<ExplorationRecord, 'tool' | 'target' | 'model' | 'startedAt'>,
): ExplorationRecord {
  const { profile, seed, seconds, sequences, exchanges, trials, findings, histories, divergences } = exploration
  const { discarded } = exploration
  return {
    ...header,
    profile: { name: profile },
    seed,
    seconds,
    conversations: sequences,
    requests: exchanges,
    rounds: trials,
    ...(discarded > 0 && { discarded }),
    findings: findings.map(recordFinding),
    histories: histories.map((history) => ({
      id: history.id,
      sentence: history.sentence,
      rules: history.rules,
      longest: history.longest,
      times: history.times,
      of: history.of,
      seenAfter: history.seenAfter,
      svg: historySvg(history),
      calls: history.calls.map(({ client, about, said }) => ({ client, about, said })),
    })),
    divergences: divergences.map(({ ids, points, operation, reference, target }) => ({
      ids,
      points,
      operation,
      model: reference,
      target,
    })),
    permitted: Object.fromEntries(exploration.permitted),
    unconfirmed: Object.fromEntries(exploration.unconfirmed),
    outcomes: countedOutcomes(exploration.outcomes),
  }
}

function recordFinding(finding: Finding): ExplorationRecord['findings'][number] {
  const { id, ruling, difference, steps, answers, yaml, curl, times, seed, shrunkFrom, seenAfter } = finding
  return {
    id,
    curl,
    times,
    seed,
    shrunkFrom,
    seenAfter,
    answers: { model: answers.reference, target: answers.target },
    ...(yaml !== undefined && { yaml }),
    ruling: { ...ruling },
    operation: steps.at(-1)?.operation ?? '',
    pointer: difference.pointer,
    requests: steps.map(({ about, actor }) => `${about}, as ${actor}`),
  }
}

/** Names start with an operation; sorted. */
const countedOutcomes = (counts: ReadonlyMap<string, number>): ExplorationRecord['outcomes'] =>
  [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, count]) => {
      const [operation = '', ...said] = name.split(' ')
      return { operation, said: said.join(' '), count }
    })
