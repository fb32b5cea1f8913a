/** The differences between two runs. */
import type { RunHeader, RunRow } from '../../record/types/record.js'
import type { ResolvedRow } from '../../record/types/resolved-row.js'
import { causeOf } from '../summary/cause.js'
import { judgedBy, textInWords } from '../wording/judged-by.js'
import { inSuiteOrder, isFailure, isJudged } from '../wording/rows.js'
import { normaliser } from '../wording/volatile.js'

/** A setting that differs between two runs. */
interface SettingChange {
  name: string
  before: string
  after: string
  /** The setting affects the selection of rows. */
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
  ['callers', header.callers?.map(({ actor, credential }) => `${actor}: ${credential}`).join(', ') ?? 'not recorded'],
  ['permissions', header.allowed?.join(', ') ?? 'not recorded'],
  ['unreachable operations', header.target.file?.unreachable.join(', ') || 'none'],
  ['presigned transactions', String(header.target.file?.presigned ?? 0)],
  ['profile', judgedBy(header)],
  ['interface text', textInWords(header) ?? 'not recorded', false],
  ['suite digest', header.suite.digest],
  ['filter', header.only ?? 'none'],
  ['requests for each row', String(header.repeat ?? 1), false],
  ['tool', header.tool.version, false],
]

/** The compared members of a full row, or of a row of the HTML page. */
export interface ComparedRow extends Pick<RunRow, 'id' | 'verdict' | 'reason' | 'judgements' | 'milliseconds'> {
  resolved: Pick<ResolvedRow, 'title' | 'operation' | 'source'>
  /** Exchanges of a full row; statuses of the requests under test in a row of the page. */
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

/** The differences between two runs. A row of both runs is in at most one list besides `changedTiming`. */
export interface Comparison<R> {
  settings: SettingChange[]
  /** Rows in `newlyFailing` and `noLongerJudged`. */
  regressions: number
  newlyFailing: Change<R>[]
  /** Rows judged only in the earlier run, without a setting that explains it. Removed rows have no `after`. */
  noLongerJudged: ({ id: string; before: R } & Partial<Change<R>>)[]
  newlyPassing: Change<R>[]
  /** Any other change of the verdict. */
  changedVerdict: Change<R>[]
  /** The same verdict, except pass, with another cause. */
  changedCause: Change<R>[]
  added: R[]
  removed: R[]
  changedTiming: Change<R>[]
  /** Rows with the same verdict and cause in both runs. */
  unchanged: number
}

/** The lists of a comparison with their titles, in the order of all reports. */
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

export type ChangeListName = (typeof changeLists)[number][0]

/** The rows of one list as changes. */
export function changeLines<R extends { id: string }>(
  found: Comparison<R>,
  list: ChangeListName,
): ({ id: string } & Partial<Change<R>>)[] {
  if (list === 'added') return found.added.map((after) => ({ id: after.id, after }))
  if (list === 'removed') return found.removed.map((before) => ({ id: before.id, before }))
  return found[list]
}

/** Ignores values that differ in every run: ids, times, ports. */
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
  // A run that ended early lacks rows that still exist.
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

/** For a row that was sent, the target caused the missing judgement, not the plan. */
const wasSent = ({ evidence, statuses }: ComparedRow): boolean => (evidence ?? statuses ?? []).length > 0

/** Both limits apply to a changed timing. */
const timing = { factor: 3, milliseconds: 250 }

function hasOtherTiming<R extends ComparedRow>({ before, after }: Change<R>): boolean {
  const [short, long] = [before.milliseconds, after.milliseconds].toSorted((a, b) => a - b)
  if (short === undefined || long === undefined) return false
  return long >= timing.factor * short && long - short >= timing.milliseconds
}

function byId<R extends ComparedRow>(rows: readonly R[]): Map<string, R> {
  return new Map(rows.map((row) => [row.id, row]))
}
