import type { RunHeader, RunRow } from '../../record/types/record.js'
import type { ResolvedRow } from '../../record/types/resolved-row.js'
import { causeOf } from '../summary/cause.js'
import { judgedBy, textInWords } from '../wording/judged-by.js'
import { inSuiteOrder, isFailure, isJudged } from '../wording/rows.js'
import { normaliser } from '../wording/volatile.js'

/** Members of the header that differ, with both values: another target, profile or suite explains a lot. */
interface SettingChange {
  name: string
  before: string
  after: string
  /** It can decide which rows are run. */
  decidesPlan: boolean
}

function changedSettings(before: RunHeader, after: RunHeader): SettingChange[] {
  const old = new Map(settingsOf(before).map(([name, value]) => [name, value]))
  return settingsOf(after).flatMap(([name, value, decidesPlan = true]) => {
    const earlier = old.get(name) ?? ''
    return earlier === value ? [] : [{ name, before: earlier, after: value, decidesPlan }]
  })
}

const settingsOf = (header: RunHeader): [name: string, value: string, decidesPlan?: false][] => [
  ['target', header.target.embedded ? 'the embedded simulator' : header.target.url],
  ['target version', header.target.version ?? 'unknown'],
  ['protocol version', String(header.target.protocolVersion ?? 'unknown')],
  ['authorization', header.target.authorization],
  ['callers', header.callers?.map(({ actor, credential }) => `${actor}: ${credential}`).join(', ') ?? 'not told'],
  ['what the run might do', header.allowed?.join(', ') ?? 'not told'],
  ['operations done without', header.target.file?.unreachable.join(', ') || 'none'],
  ['presigned transactions', String(header.target.file?.presigned ?? 0)],
  ['profile', judgedBy(header)],
  ['interface text', textInWords(header) ?? 'not named', false],
  ['suite digest', header.suite.digest],
  ['filter', header.only ?? 'none'],
  ['how often each row was sent', String(header.repeat ?? 1), false],
  ['tool', header.tool.version, false],
]

/** What of a row is compared; full rows and the page's small ones have it. */
export interface ComparedRow extends Pick<RunRow, 'id' | 'verdict' | 'reason' | 'judgements' | 'milliseconds'> {
  resolved: Pick<ResolvedRow, 'title' | 'operation' | 'source'>
  /** What was exchanged, in full rows; what the requests under test were answered with, in those of the page. */
  evidence?: readonly unknown[]
  statuses?: readonly unknown[]
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
  settings: SettingChange[]
  /** Rows that fail now and did not before, or that nobody judges any more for no reason that the settings tell. */
  regressions: number
  /** It did not fail before, and fails now: a regression. */
  newlyFailing: Change<R>[]
  /** It was judged before and is not now, though the plan has no other reason: a regression. Rows that are gone have no `after`. */
  noLongerJudged: ({ id: string; before: R } & Partial<Change<R>>)[]
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
  ['noLongerJudged', 'no longer judged'],
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
  const settings = changedSettings(before.header, after.header)
  const isPlannedAlike = !settings.some(({ decidesPlan }) => decidesPlan)
  const kinds = changes.map((change) => ({ change, kind: kindOf(change, causes, isPlannedAlike) }))
  const ofKind = (wanted: Kind) => kinds.flatMap(({ change, kind }) => (kind === wanted ? [change] : []))
  // Of a run that was ended early the rest is not gone, only not there yet.
  const isWhole = later.size >= after.header.planned
  const isLost = (row: R): boolean => isPlannedAlike && isWhole && isJudged(row)
  const gone = inSuiteOrder([...earlier.values()].filter(({ id }) => !later.has(id)))
  const noLongerJudged = [
    ...ofKind('noLongerJudged'),
    ...gone.filter(isLost).map((row) => ({ id: row.id, before: row })),
  ]
  const newlyFailing = ofKind('newlyFailing')
  return {
    settings,
    regressions: newlyFailing.length + noLongerJudged.length,
    newlyFailing,
    noLongerJudged,
    newlyPassing: ofKind('newlyPassing'),
    changedVerdict: ofKind('changedVerdict'),
    changedCause: ofKind('changedCause'),
    added: inSuiteOrder([...later.values()].filter(({ id }) => !earlier.has(id))),
    removed: gone.filter((row) => !isLost(row)),
    changedTiming: changes.filter(hasOtherTiming),
    unchanged: ofKind('unchanged').length,
  }
}

type Kind = 'newlyFailing' | 'noLongerJudged' | 'newlyPassing' | 'changedVerdict' | 'changedCause' | 'unchanged'

function kindOf<R extends ComparedRow>(
  { before, after }: Change<R>,
  normalise: { before(text: string): string; after(text: string): string },
  isPlannedAlike: boolean,
): Kind {
  if (isFailure(after) && !isFailure(before)) return 'newlyFailing'
  if (isJudged(before) && !isJudged(after) && (isPlannedAlike || wasSent(after))) return 'noLongerJudged'
  if (isFailure(before) && after.verdict === 'pass') return 'newlyPassing'
  if (before.verdict !== after.verdict) return 'changedVerdict'
  if (after.verdict === 'pass') return 'unchanged'
  return causeOf(before, normalise.before) === causeOf(after, normalise.after) ? 'unchanged' : 'changedCause'
}

/** That it is not judged is what the target made of it, and no decision of the plan. */
const wasSent = ({ evidence, statuses }: ComparedRow): boolean => (evidence ?? statuses ?? []).length > 0

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
