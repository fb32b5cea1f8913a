import { groupBy } from '../../lib/group-by.js'
import { isFailure, isJudged } from '../wording/rows.js'
import { judgedBy, textInWords } from '../wording/run-text.js'
import { count } from '../wording/words.js'
import { causesOf } from './cause.js'
import type { ComparedHeader, ComparedRow, ComparedRun } from './compared-run.js'

interface SettingChange {
  name: string
  before: string
  after: string
  decidesPlan: boolean
}

function changedSettings(before: ComparedHeader, after: ComparedHeader): SettingChange[] {
  const old = new Map(settingsOf(before).map(([name, value]) => [name, value]))
  return settingsOf(after).flatMap(([name, value, decidesPlan = true]) => {
    const earlier = old.get(name) ?? ''
    return earlier === value ? [] : [{ name, before: earlier, after: value, decidesPlan }]
  })
}

const settingsOf = (header: ComparedHeader): [name: string, value: string, decidesPlan?: false][] => [
  ['target', header.target.embedded ? 'the embedded simulator' : header.target.url],
  ['target version', header.target.version ?? 'unknown'],
  ['protocol version', String(header.target.protocolVersion ?? 'unknown')],
  ['authorization', header.target.authorization],
  ['callers', header.callers?.map(({ actor, credential }) => `${actor}: ${credential}`).join(', ') ?? 'not recorded'],
  ['permissions', header.allowed?.join(', ') ?? 'not recorded'],
  ['unreachable operations', header.target.file?.unreachable.join(', ') || 'none'],
  ['given fixtures', header.target.file?.given?.join(', ') ?? 'none'],
  ['presigned transactions', String(header.target.file?.presigned ?? 0)],
  ['profile', judgedBy(header)],
  ['interface text', textInWords(header) ?? 'not recorded', false],
  ['suite digest', header.suite.digest],
  ['filter', header.only ?? 'none'],
  ['requests for each row', String(header.repeat ?? 1), false],
  ['tool', header.tool.version, false],
]

interface Change {
  id: string
  before: ComparedRow
  after: ComparedRow
}

/** A row is in at most one list besides `changedTiming`. */
export interface Comparison {
  settings: SettingChange[]
  /** Rows in `newlyFailing` and `noLongerJudged`. */
  regressions: number
  /** Rows that the earlier run lacks have no `before`. */
  newlyFailing: ({ id: string; after: ComparedRow } & Partial<Change>)[]
  /** Rows that failed in both runs and are no regression; also in other lists. */
  knownFailures: ComparedRow[]
  /** Judged only in the earlier run, without a setting that explains it. Removed rows have no `after`. */
  noLongerJudged: ({ id: string; before: ComparedRow } & Partial<Change>)[]
  newlyPassing: Change[]
  changedVerdict: Change[]
  changedCause: Change[]
  added: ComparedRow[]
  removed: ComparedRow[]
  changedTiming: Change[]
  unchanged: number
}

/** `3 regressions, 179 known failures` */
export function regressionsInWords({ regressions, knownFailures }: Comparison): string {
  const known = knownFailures.length === 0 ? '' : `, ${count(knownFailures.length, 'known failure')}`
  return `${regressions === 0 ? 'No regression' : count(regressions, 'regression')}${known}`
}

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

export function changeLines(found: Comparison, list: ChangeListName): ({ id: string } & Partial<Change>)[] {
  if (list === 'added') return found.added.map((after) => ({ id: after.id, after }))
  if (list === 'removed') return found.removed.map((before) => ({ id: before.id, before }))
  return found[list]
}

/** The rows of a run that a list of changes names. */
export function rowsOf<R extends { id: string }>(
  { rows }: { rows: readonly R[] },
  named: readonly { id: string }[],
): R[] {
  const byId = new Map(rows.map((row) => [row.id, row]))
  return named.flatMap(({ id }) => byId.get(id) ?? [])
}

/** Rows in suite order. Values that differ in every run are no difference: ids, times, ports. */
export function compareRuns(before: ComparedRun, after: ComparedRun): Comparison {
  const earlier = byId(before.rows)
  const later = byId(after.rows)
  const changes = [...later.values()].flatMap((row): Change[] => {
    const old = earlier.get(row.id)
    return old ? [{ id: row.id, before: old, after: row }] : []
  })
  const settings = changedSettings(before.header, after.header)
  const isPlannedAlike = !settings.some(({ decidesPlan }) => decidesPlan)
  const kinds = changes.map((change) => ({ change, kind: kindOf(change, isPlannedAlike) }))
  const ofKind = (wanted: Kind) => kinds.flatMap(({ change, kind }) => (kind === wanted ? [change] : []))
  // A run that ended early lacks rows that still exist.
  const isWhole = later.size >= after.planned
  const isLost = (row: ComparedRow): boolean => isPlannedAlike && isWhole && isJudged(row)
  const gone = [...earlier.values()].filter(({ id }) => !later.has(id))
  const noLongerJudged = [
    ...ofKind('noLongerJudged'),
    ...gone.filter(isLost).map((row) => ({ id: row.id, before: row })),
  ]
  const isNew = ({ id }: ComparedRow): boolean => !earlier.has(id)
  const added = [...later.values()].filter(isNew)
  const newlyFailing = [
    ...ofKind('newlyFailing'),
    ...added.filter(isFailure).map((row) => ({ id: row.id, after: row })),
  ]
  return {
    settings,
    regressions: newlyFailing.length + noLongerJudged.length,
    newlyFailing,
    knownFailures: kinds.flatMap(({ change: { before: old, after: now }, kind }) =>
      kind !== 'noLongerJudged' && kind !== 'newlyFailing' && isFailure(old) && isFailure(now) ? [now] : [],
    ),
    noLongerJudged,
    newlyPassing: ofKind('newlyPassing'),
    changedVerdict: ofKind('changedVerdict'),
    changedCause: ofKind('changedCause'),
    added: added.filter((row) => !isFailure(row)),
    removed: gone.filter((row) => !isLost(row)),
    changedTiming: changes.filter(hasOtherTiming),
    unchanged: ofKind('unchanged').length,
  }
}

type Kind = 'newlyFailing' | 'noLongerJudged' | 'newlyPassing' | 'changedVerdict' | 'changedCause' | 'unchanged'

function kindOf({ before, after }: Change, isPlannedAlike: boolean): Kind {
  if (isFailure(after) && !isFailure(before)) return 'newlyFailing'
  // A blocked row had no judgement that could fail.
  if (after.verdict === 'fail' && !isJudged(before)) return 'newlyFailing'
  // A sent row was planned, so the target caused the missing judgement.
  if (isJudged(before) && !isJudged(after) && (isPlannedAlike || after.sent)) return 'noLongerJudged'
  if (isFailure(before) && after.verdict === 'pass') return 'newlyPassing'
  if (before.verdict !== after.verdict) return 'changedVerdict'
  if (after.verdict === 'pass') return 'unchanged'
  return before.faults === after.faults ? 'unchanged' : 'changedCause'
}

/** Both limits apply to a changed timing. */
const timing = { factor: 3, milliseconds: 250 }

function hasOtherTiming({ before, after }: Change): boolean {
  const [short, long] = [before.milliseconds, after.milliseconds].toSorted((a, b) => a - b)
  if (short === undefined || long === undefined) return false
  return long >= timing.factor * short && long - short >= timing.milliseconds
}

const byId = (rows: readonly ComparedRow[]): Map<string, ComparedRow> => new Map(rows.map((row) => [row.id, row]))

interface CauseGroup {
  /** Cause in the later run, or else in the earlier one; empty if both pass. */
  cause: string
  changes: ({ id: string } & Partial<Change>)[]
}

export interface ChangeGroup extends CauseGroup {
  verdicts: string
}

export function changeGroups(found: Comparison, list: ChangeListName): ChangeGroup[] {
  const verdictsOf = ({ before, after }: Partial<Change>): string =>
    [...new Set([before?.verdict, after?.verdict])].filter((one) => one !== undefined).join(' → ')
  return [...groupBy(changeLines(found, list), verdictsOf)]
    .flatMap(([verdicts, changes]) => byCause(changes, list).map((group) => ({ verdicts, ...group })))
    .toSorted((a, b) => b.changes.length - a.changes.length)
}

function byCause(changes: ChangeGroup['changes'], list: ChangeListName): CauseGroup[] {
  const unpassed = new Map<ComparedRow, (typeof changes)[number]>()
  for (const change of list === 'changedTiming' ? [] : changes) {
    const row = [change.after, change.before].find((one) => one !== undefined && one.verdict !== 'pass')
    if (row) unpassed.set(row, change)
  }
  const explained = new Set(unpassed.values())
  const others = changes.filter((change) => !explained.has(change))
  return [
    ...causesOf([...unpassed.keys()]).map(({ sentence, rule, rows }) => ({
      cause: rule === undefined ? sentence : `${sentence} (${rule})`,
      changes: rows.flatMap((row) => unpassed.get(row) ?? []),
    })),
    ...(others.length > 0 ? [{ cause: '', changes: others }] : []),
  ]
}
