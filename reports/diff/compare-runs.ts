import type { RunHeader, RunRow } from '../../record/record.js'
import type { ResolvedRow } from '../../record/resolved-row.js'
import { causeOf } from '../cause.js'
import { judgedBy, textInWords } from '../judged-by.js'
import { inSuiteOrder, isFailure } from '../rows.js'
import { normaliser } from '../volatile.js'

/** What of a row is compared; full rows and the page's small ones have it. */
export interface ComparedRow extends Pick<RunRow, 'id' | 'verdict' | 'reason' | 'judgements' | 'milliseconds'> {
  resolved: Pick<ResolvedRow, 'title' | 'operation' | 'source'>
}

export interface ComparedRun<R> {
  header: RunHeader
  rows: readonly R[]
}

export interface Change<R> {
  id: string
  before: R
  after: R
}

/** What is new in a run against an earlier one. Each row that both have is in one list at most, timing apart. */
export interface Comparison<R> {
  /** Members of the header that differ, with both values: another target, profile or suite explains a lot. */
  settings: { name: string; before: string; after: string }[]
  /** It did not fail before, and fails now: a regression. */
  newlyFailing: Change<R>[]
  /** It failed before, and passes now. */
  newlyPassing: Change<R>[]
  /** Any other change of the verdict. */
  changedVerdict: Change<R>[]
  /** The same verdict, which is not pass, for another reason. */
  changedCause: Change<R>[]
  added: R[]
  removed: R[]
  /** Much slower or much faster than before. */
  changedTiming: Change<R>[]
  /** Rows that both runs have with the same verdict and cause. */
  unchanged: number
}

/** The lists of a comparison in the order in which every report has them, with their words. */
export const changeLists = [
  ['newlyFailing', 'newly failing'],
  ['newlyPassing', 'newly passing'],
  ['changedVerdict', 'changed verdict'],
  ['changedCause', 'same verdict, other cause'],
  ['added', 'added rows'],
  ['removed', 'removed rows'],
  ['changedTiming', 'changed timing'],
] as const

/** Rows by what became of them between two runs; what is new in every run (ids, times, ports) counts for nothing. */
export function compareRuns<R extends ComparedRow>(before: ComparedRun<R>, after: ComparedRun<R>): Comparison<R> {
  const earlier = byId(before.rows)
  const later = byId(after.rows)
  const changes = inSuiteOrder([...later.values()]).flatMap((row): Change<R>[] => {
    const old = earlier.get(row.id)
    return old ? [{ id: row.id, before: old, after: row }] : []
  })
  const causes = { before: normaliser(before.header), after: normaliser(after.header) }
  const kinds = changes.map((change) => ({ change, kind: kindOf(change, causes) }))
  const ofKind = (wanted: Kind) => kinds.flatMap(({ change, kind }) => (kind === wanted ? [change] : []))
  return {
    settings: differentSettings(before.header, after.header),
    newlyFailing: ofKind('newlyFailing'),
    newlyPassing: ofKind('newlyPassing'),
    changedVerdict: ofKind('changedVerdict'),
    changedCause: ofKind('changedCause'),
    added: inSuiteOrder([...later.values()].filter(({ id }) => !earlier.has(id))),
    removed: inSuiteOrder([...earlier.values()].filter(({ id }) => !later.has(id))),
    changedTiming: changes.filter(hasOtherTiming),
    unchanged: ofKind('unchanged').length,
  }
}

type Kind = 'newlyFailing' | 'newlyPassing' | 'changedVerdict' | 'changedCause' | 'unchanged'

function kindOf<R extends ComparedRow>(
  { before, after }: Change<R>,
  normalise: { before(text: string): string; after(text: string): string },
): Kind {
  if (isFailure(after) && !isFailure(before)) return 'newlyFailing'
  if (isFailure(before) && after.verdict === 'pass') return 'newlyPassing'
  if (before.verdict !== after.verdict) return 'changedVerdict'
  if (after.verdict === 'pass') return 'unchanged'
  return causeOf(before, normalise.before) === causeOf(after, normalise.after) ? 'unchanged' : 'changedCause'
}

/** A row takes noticeably longer or shorter when both hold: three times the time, and a quarter of a second. */
const timing = { factor: 3, milliseconds: 250 }

function hasOtherTiming<R extends ComparedRow>({ before, after }: Change<R>): boolean {
  const [short, long] = [before.milliseconds, after.milliseconds].toSorted((a, b) => a - b)
  if (short === undefined || long === undefined) return false
  return long >= timing.factor * short && long - short >= timing.milliseconds
}

function byId<R extends ComparedRow>(rows: readonly R[]): Map<string, R> {
  return new Map(rows.map((row) => [row.id, row]))
}

function differentSettings(before: RunHeader, after: RunHeader): Comparison<never>['settings'] {
  const settings = (header: RunHeader): [name: string, value: string][] => [
    ['target', header.target.embedded ? 'the embedded simulator' : header.target.url],
    ['target version', header.target.version ?? 'unknown'],
    ['protocol version', String(header.target.protocolVersion ?? 'unknown')],
    ['authorization', header.target.authorization],
    ['operations done without', header.target.file?.unreachable.join(', ') || 'none'],
    ['presigned transactions', String(header.target.file?.presigned ?? 0)],
    ['profile', judgedBy(header)],
    ['interface text', textInWords(header) ?? 'not named'],
    ['suite digest', header.suite.digest],
    ['filter', header.only ?? 'none'],
    ['tool', header.tool.version],
  ]
  const old = new Map(settings(before))
  return settings(after).flatMap(([name, value]) => {
    const earlier = old.get(name) ?? ''
    return earlier === value ? [] : [{ name, before: earlier, after: value }]
  })
}
