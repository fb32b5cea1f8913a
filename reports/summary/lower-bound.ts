/** How long a run must wait for the answers of its target. Pure. */
import { operationNamed } from '../../interface/operations.js'
import type { Evidence, OraclesLine, RunRecord, RunRow } from '../../record/types/record.js'
import { count, duration } from '../wording/words.js'

interface Wait {
  isCommit: boolean
  milliseconds: number
}

/**
 * The time of the rows and of the reads after them, and the time that both need if they wait for nothing but answers and
 * late effects. Undefined on the embedded simulator, which shares the processors of the run, and for a record of several
 * runs.
 */
export function lowerBoundText({
  header,
  rows,
  footer,
  oracles,
}: Pick<RunRecord, 'header' | 'rows' | 'footer' | 'oracles'>): string | undefined {
  const { target, merged, resumes, concurrency, timeLimits } = header
  if (!footer || target.embedded || merged || resumes) return undefined
  const together = rows.filter((row) => !runsAlone(row)).map(waitsIn)
  const alone = rows.filter(runsAlone).flatMap(waitsIn)
  const waits = [...together.flat(), ...alone]
  if (waits.length === 0) return undefined
  const commits = waits.filter(({ isCommit }) => isCommit)
  const others = waits.filter(({ isCommit }) => !isCommit)
  const requests = [...inWords(commits, 'commit'), ...inWords(others, 'other request')].join(' and ')
  const single = alone.length === 0 ? '' : `, and ${alone.length} of these one at a time`
  const longest = Math.max(0, ...together.map(sumOf))
  const last = lastReads(oracles)
  const pause = last === 0 ? 0 : (timeLimits?.lateCheck ?? 0)
  const bound = Math.max(sumOf(together.flat()) / concurrency, longest) + sumOf(alone) + last + pause
  const after =
    last === 0
      ? ''
      : `, ${duration(pause)} for late effects, and ${duration(last)} for the repeated control and the last reads`
  return (
    `The rows took ${duration(footer.milliseconds)}. The answers of the target take at least ${duration(bound)}: ` +
    `${requests}, ${count(concurrency, 'row')} at a time${single}${after}.`
  )
}

const runsAlone = ({ resolved: { alone, impact, steps } }: RunRow): boolean =>
  alone || impact === 'hazard' || steps.some(({ presigned }) => presigned)

/** Milliseconds of the control and the reads after the last row, one after the other. */
const lastReads = (oracles: OraclesLine | undefined): number =>
  (oracles?.reads ?? []).reduce((sum, { evidence }) => sum + evidence.milliseconds, 0)

/** The requests of a race wait together. */
function waitsIn({ evidence, resolved }: RunRow): Wait[] {
  const longest = new Map<number, Evidence>()
  for (const one of evidence)
    if (one.role !== 'late-check' && one.milliseconds > (longest.get(one.step)?.milliseconds ?? 0))
      longest.set(one.step, one)
  return [...longest].map(([step, { response, milliseconds }]) => ({
    isCommit: response?.status === 200 && awaitsCommit(resolved.steps[step]?.operation),
    milliseconds,
  }))
}

/** `execute` answers before its commit. */
const awaitsCommit = (operation = ''): boolean => operation !== 'execute' && operationNamed(operation)?.commits === true

const sumOf = (waits: readonly Wait[]): number => waits.reduce((sum, { milliseconds }) => sum + milliseconds, 0)

/** With the average. */
const inWords = (waits: readonly Wait[], noun: string): string[] =>
  waits.length === 0 ? [] : [`${count(waits.length, noun)} of ${duration(sumOf(waits) / waits.length)}`]
