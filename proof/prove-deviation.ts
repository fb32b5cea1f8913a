/** Whether the suite finds one deviation, and by which rows. */
import type { RunRow } from '../record/record.js'
import type { ResolvedRow } from '../record/resolved-row.js'
import { rulesOfRow } from '../runner/plan/select.js'
import { performAt, rowsIn } from '../runner/world.js'
import type { Deviation } from '../simulator/simulator.js'
import type { Originals } from './copies.js'
import { evenly } from './evenly.js'
import type { ProvenDeviation } from './matrix.js'

export interface Proving {
  /** Rows of these cases count for nothing. */
  dropped?: ReadonlySet<string>
  /** Every row of every operation is performed, in place of those that can meet the deviation. */
  all?: boolean
}

/** So many rows that cite other rules are performed beside those that cite the rule, to see whether they mind. */
const bystanders = 40

/** Performs the rows that can meet the deviation at a participant that has it. Rejects as a run does. */
export async function proveDeviation(
  deviation: Deviation,
  originals: Originals,
  { dropped = new Set(), all = false }: Proving,
): Promise<ProvenDeviation> {
  const { world, copy } = await originals.in(deviation.where)
  const rows = rowsIn(world).filter((row) => !dropped.has(row.case))
  const near = rows.filter(({ operation }) => operation === deviation.operation)
  const citing = near.filter((row) => rulesOfRow(row).includes(deviation.rule))
  const others = near.filter((row) => !citing.includes(row))
  const ended: RunRow[] = []
  /** On a copy of its own: what other rows did is not there. */
  const perform = async (chosen: readonly ResolvedRow[]): Promise<void> => {
    const ids = new Set(chosen.map(({ id }) => id))
    ended.length = 0
    const { url, close } = await copy({ deviation: deviation.name })
    try {
      await performAt(
        world,
        url,
        ({ id }) => ids.has(id),
        (row) => void ended.push(row),
      )
    } finally {
      await close()
    }
  }
  await perform(all ? rows : [...citing, ...evenly(others, bystanders)])
  const isKilled = (): boolean => ended.some((row) => isKiller(row, deviation.rule))
  // Some show only where much is going on.
  if (!isKilled() && !all) await perform(near)
  return concluded(deviation, ended)
}

/** It fails, and says that the rule is broken. */
const isKiller = (row: RunRow, rule: string): boolean => row.verdict === 'fail' && claims(row, rule)

/** The row is about the rule, or what it found wrong is. */
const claims = ({ resolved, judgements }: RunRow, rule: string): boolean =>
  rulesOfRow(resolved).includes(rule) || judgements.some(({ met, rules }) => !met && rules.includes(rule))

function concluded({ name, rule, operation }: Deviation, ended: readonly RunRow[]): ProvenDeviation {
  const failed = ended.filter(({ verdict }) => verdict === 'fail')
  const killers = failed.filter((row) => claims(row, rule))
  const strangers = failed.filter((row) => !claims(row, rule))
  const unjudged = ended.filter(({ verdict }) => verdict === 'blocked' || verdict === 'error')
  const [telling] = [...killers, ...strangers, ...unjudged]
  const cases: Record<string, number> = {}
  for (const { resolved } of killers) cases[resolved.case] = (cases[resolved.case] ?? 0) + 1
  return {
    ...{ name, rule, operation },
    outcome: killers.length > 0 ? 'killed' : strangers.length > 0 ? 'killed-by-others' : 'survived',
    performed: ended.length,
    killers: cases,
    others: strangers.map(({ id }) => id).toSorted(),
    unjudged: unjudged.length,
    ...(telling && { told: `${telling.id}: ${(telling.reason ?? '').slice(0, 200)}` }),
  }
}
