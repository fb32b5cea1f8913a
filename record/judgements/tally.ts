import type { RunFooter, RunHeader, RunRow } from '../types/record.js'
import type { ResolvedRow } from '../types/resolved-row.js'
import { countVerdicts, nonConforming, type Verdict } from '../types/verdict.js'
import { type ExaminedHeader, type ExaminedRow, examineRules, type RuleExamination } from './examination.js'

export type TallyResult = Pick<RunFooter, 'executed' | 'counts' | 'complete' | 'conforming'> & {
  unexamined: string[]
  rules: RuleExamination[]
}

type CountedRow = Pick<RunRow, 'id' | 'verdict' | 'evidence' | 'judgements' | 'reason'> & {
  resolved?: ResolvedRow | undefined
}

const isPlanned = (row: CountedRow): row is CountedRow & ExaminedRow => row.resolved !== undefined

function wasExecuted(row: Pick<RunRow, 'evidence'>): boolean {
  return row.evidence.some(({ role, problem }) => role === 'act' && problem?.code !== 'not-sent')
}

export class Tally {
  readonly #header: ExaminedHeader & Pick<RunHeader, 'planned'>
  readonly #ids = new Set<string>()
  readonly #verdicts: Verdict[] = []
  readonly #rows: ExaminedRow[] = []
  #executed = 0
  readonly duplicates = new Set<string>()

  constructor(header: ExaminedHeader & Pick<RunHeader, 'planned'>) {
    this.#header = header
  }

  add(row: CountedRow): void {
    if (this.#ids.has(row.id)) this.duplicates.add(row.id)
    this.#ids.add(row.id)
    this.#verdicts.push(row.verdict)
    if (isPlanned(row)) this.#rows.push(row)
    if (wasExecuted(row)) this.#executed += 1
  }

  /** A run without judged rows is never conforming. */
  result(): TallyResult {
    const counts = countVerdicts(this.#verdicts)
    const rows = this.#verdicts.length
    const complete = rows === this.#header.planned && this.duplicates.size === 0
    const judgedSomething = rows > counts['not-applicable']
    const conforming = complete && judgedSomething && nonConforming.every((verdict) => counts[verdict] === 0)
    const rules = examineRules(this.#header, this.#rows)
    const unexamined = rules.flatMap(({ rule, state }) => (state === 'examined' ? [] : [rule.id]))
    return { executed: this.#executed, counts, complete, conforming, unexamined, rules }
  }
}

export function tallyOf(header: RunHeader, rows: Iterable<CountedRow>): Tally {
  const tally = new Tally(header)
  for (const row of rows) tally.add(row)
  return tally
}

/** The request under test was sent, but the ledger was not read for its expected effects. */
export function lacksLateCheck({ resolved, evidence, verdict }: RunRow): boolean {
  if (verdict === 'blocked' || verdict === 'error' || evidence.some(({ role }) => role === 'late-check')) return false
  const index = resolved.steps.findIndex(({ expectations }) => expectations.some(({ kind }) => kind === 'effects'))
  return evidence.some(({ step, role }) => role === 'act' && step === index)
}
