import type { RunRow } from '../record/types/record.js'
import { reasonText } from '../reports/wording/reason-words.js'
import { rulesOfRow } from '../runner/plan/select.js'
import { type Environment, performAndReadAt, performAt, type ReadEnvironment, rowsIn } from './environment.js'
import type { Mutant } from './mutants/mutant.js'
import type { ProvenMutant } from './mutation-report.js'
import { evenly } from './sample.js'
import { type Snapshots, shuffled } from './snapshots.js'

export interface ProveOptions {
  dropped?: ReadonlySet<string>
  /** `few` (default): rows that cite the rule, and a sample of other rows. `near`: all rows of the operation. */
  rows?: 'few' | 'near' | 'all'
  /** Of the order of the rows. Default: the order of the suite. */
  seed?: string | undefined
}

/** Failures of these sampled rows show side effects of the mutant. */
const otherRows = 40

/** Rejects as a run does. */
export async function proveMutant(
  mutant: Mutant,
  snapshots: Snapshots,
  { dropped = new Set(), rows: scope = 'few', seed }: ProveOptions,
): Promise<ProvenMutant> {
  const { environment, start } = await snapshots.of(mutant.where)
  const all = rowsIn(environment).filter((row) => !dropped.has(row.case))
  const near = all.filter(({ operation }) => operation === mutant.operation)
  const citing = near.filter((row) => rulesOfRow(row).includes(mutant.rule))
  const others = near.filter((row) => !citing.includes(row))
  const chosen = { few: [...citing, ...evenly(others, otherRows)], near, all }[scope]
  const ids = new Set(chosen.map(({ id }) => id))
  const ordered = seed === undefined ? environment : shuffled(environment, seed)
  const { url, close } = await start(mutant)
  try {
    return conclude(mutant, await performed(mutant, ordered, url, ids))
  } finally {
    await close()
  }
}

/** Other mutants need no reads after the last row, which take some seconds. */
async function performed(
  { shows }: Mutant,
  environment: Environment,
  url: string,
  ids: ReadonlySet<string>,
): Promise<ReadEnvironment> {
  if (shows === 'reads') return performAndReadAt(environment, url, ({ id }) => ids.has(id))
  const rows: RunRow[] = []
  await performAt(
    environment,
    url,
    ({ id }) => ids.has(id),
    (row) => void rows.push(row),
  )
  return { rows, findings: [] }
}

/** Rules of met judgements do not count. */
const claims = ({ judgements }: RunRow, rule: string): boolean =>
  judgements.some(({ met, rules }) => !met && rules.includes(rule))

function conclude({ name, rule, operation }: Mutant, { rows: ended, findings }: ReadEnvironment): ProvenMutant {
  const failed = ended.filter(({ verdict }) => verdict === 'fail')
  const killers = failed.filter((row) => claims(row, rule))
  const others = failed.filter((row) => !claims(row, rule))
  const unjudged = ended.filter(({ verdict }) => verdict === 'blocked' || verdict === 'error')
  const [example] = [...killers, ...others, ...unjudged]
  const [finding] = findings.filter(({ kind }) => kind !== 'stated')
  const cases: Record<string, number> = {}
  for (const { resolved } of killers) cases[resolved.case] = (cases[resolved.case] ?? 0) + 1
  return {
    name,
    rule,
    operation,
    outcome: killers.length > 0 || finding ? 'killed' : others.length > 0 ? 'killed-by-others' : 'survived',
    performed: ended.length,
    killers: cases,
    others: others.map(({ id }) => id).toSorted(),
    unjudged: unjudged.length,
    ...(finding && { finding: { kind: finding.kind, oracle: finding.oracle } }),
    ...(example && { reason: `${example.id}: ${example.reason ? reasonText(example.reason).slice(0, 200) : ''}` }),
  }
}
