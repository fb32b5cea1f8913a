import { causeOf } from '../summary/cause.js'
import { type Comparison, changeLines, changeLists } from '../summary/compare-runs.js'
import type { ComparedHeader, ComparedRow, RunFacts } from '../summary/compared-run.js'
import { reasonOf } from '../wording/reason.js'
import type { DiffOptions } from './diff-console.js'

export function diffJson(
  before: RunFacts,
  after: RunFacts,
  found: Comparison,
  { times = false }: DiffOptions = {},
): string {
  const shown = changeLists.filter(([list]) => times || list !== 'changedTiming')
  const lists = shown.map(([list]) => [
    list,
    changeLines(found, list).map(({ id, before: old, after: now }) => ({
      id,
      ...(old && { before: sideOf(old) }),
      ...(now && { after: sideOf(now) }),
    })),
  ])
  const counts = shown.map(([list]) => [list, found[list].length])
  const diff = {
    before: runOf(before.header),
    after: runOf(after.header),
    summary: {
      regressions: found.regressions,
      knownFailures: found.knownFailures.length,
      unchanged: found.unchanged,
      complete: { before: before.defects.length === 0, after: after.defects.length === 0 },
      ...Object.fromEntries(counts),
    },
    settings: found.settings,
    ...Object.fromEntries(lists),
  }
  return `${JSON.stringify(diff, null, 2)}\n`
}

const runOf = ({ run, startedAt, target, profile, judgedAgain, suite }: ComparedHeader) => ({
  run,
  startedAt,
  target: target.url,
  profile: profile.name,
  ...(judgedAgain && { judgedAgain }),
  suite: suite.digest,
})

const sideOf = (row: ComparedRow) => ({
  verdict: row.verdict,
  milliseconds: row.milliseconds,
  ...(row.reason && { code: row.reason.code }),
  ...(row.verdict !== 'pass' && { reason: reasonOf(row), cause: causeOf(row) }),
})
