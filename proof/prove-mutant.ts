/** Whether the suite finds one mutant, and by which rows. */
import type { RunRow } from '../record/types/record.js'
import { rulesOfRow } from '../runner/plan/select.js'
import { performAt, rowsIn } from '../runner/run/environment.js'
import type { Mutant } from '../simulator/simulator.js'
import { evenly } from './evenly.js'
import type { ProvenMutant } from './mutation-report.js'
import type { Originals } from './snapshots.js'

export interface Proving {
  /** Rows of these cases count for nothing. */
  dropped?: ReadonlySet<string>
  /** `few`, unless it is said: those that cite the rule and some beside them; all of the operation; or all of all operations. */
  rows?: 'few' | 'near' | 'all'
}

/** So many rows that cite other rules are performed beside those that cite the rule, to see whether they mind. */
const bystanders = 40

/** Performs the rows that can meet the mutant at a participant that has it. Rejects as a run does. */
export async function proveMutant(
  mutant: Mutant,
  originals: Originals,
  { dropped = new Set(), rows: scope = 'few' }: Proving,
): Promise<ProvenMutant> {
  const { environment, copy } = await originals.in(mutant.where)
  const rows = rowsIn(environment).filter((row) => !dropped.has(row.case))
  const near = rows.filter(({ operation }) => operation === mutant.operation)
  const citing = near.filter((row) => rulesOfRow(row).includes(mutant.rule))
  const others = near.filter((row) => !citing.includes(row))
  const chosen = { few: [...citing, ...evenly(others, bystanders)], near, all: rows }[scope]
  const ids = new Set(chosen.map(({ id }) => id))
  const ended: RunRow[] = []
  // A copy of its own: what other rows did is not there.
  const { url, close } = await copy({ mutant: mutant.name })
  try {
    await performAt(
      environment,
      url,
      ({ id }) => ids.has(id),
      (row) => void ended.push(row),
    )
  } finally {
    await close()
  }
  return concluded(mutant, ended)
}

/** What the row found wrong is about the rule. That the row cites the rule elsewhere proves nothing. */
const claims = ({ judgements }: RunRow, rule: string): boolean =>
  judgements.some(({ met, rules }) => !met && rules.includes(rule))

function concluded({ name, rule, operation }: Mutant, ended: readonly RunRow[]): ProvenMutant {
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
