import type { ResolvedRow } from '../record/types/resolved-row.js'
import type { Matcher, Profile, Suite } from '../runner/suite/suite.js'
import { type JudgedRun, rowsBy, verdictOf } from './judged-rows.js'
import type { ObservedRow } from './observed-run.js'

/**
 * Formats of the base profile that the answers do not have. A profile with the matcher of the text in its place fails
 * fewer expectations.
 */
export function learnFormats(
  runs: readonly JudgedRun[],
  suite: Suite,
  base: Profile,
  text: Profile,
): Record<string, Matcher | 'open'> {
  const learned: Record<string, Matcher | 'open'> = {}
  for (const judged of runs) {
    if (judged.run.kind !== 'record') continue
    const failing = judged.rows.filter(({ base: row, observed }) => unmetIn(verdictOf(row, observed)) > 0)
    const narrowed = narrowedTo(suite, new Set(failing.map(({ observed }) => observed.id)))
    for (const name of formatsIn(narrowed, base, text)) {
      const candidate = withTextFormat(base, name)
      const rows = rowsBy(narrowed, candidate, judged.run)
      const isBetter = failing.some(({ base: row, observed }) => {
        const other = rows.get(observed.id)
        return other !== undefined && unmetIn(verdictOf(other, observed)) < unmetIn(verdictOf(row, observed))
      })
      const matcher = base.formats.get(name)?.text
      if (isBetter && matcher) learned[name] = Object.keys(matcher).length === 0 ? 'open' : matcher
    }
  }
  return learned
}

/**
 * `text` if the participant leaves out members that the text leaves optional: rows that fail even with the learned
 * formats pass with this basis. `learned`: rows of learned situations.
 */
export function learnBasis(
  runs: readonly JudgedRun[],
  suite: Suite,
  base: Profile,
  { formats, learned }: { formats: readonly string[]; learned: ReadonlySet<string> },
): 'text' | undefined {
  if (base.basis === 'text') return undefined
  const known = formats.reduce(withTextFormat, base)
  for (const { run, rows } of runs) {
    if (run.kind !== 'record') continue
    const failing = rows.filter(({ observed, base: row, text }) => {
      return !learned.has(observed.id) && isFailed(row, observed) && !isFailed(text, observed)
    })
    const narrowed = narrowedTo(suite, new Set(failing.map(({ observed }) => observed.id)))
    const strict = rowsBy(narrowed, known, run)
    const loose = rowsBy(narrowed, { ...known, basis: 'text' }, run)
    const isBetter = failing.some(
      ({ observed }) => isFailed(strict.get(observed.id), observed) && !isFailed(loose.get(observed.id), observed),
    )
    if (isBetter) return 'text'
  }
  return undefined
}

const isFailed = (row: ResolvedRow | undefined, observed: ObservedRow): boolean =>
  row !== undefined && verdictOf(row, observed).verdict === 'fail'

const unmetIn = ({ judgements }: ReturnType<typeof verdictOf>): number => judgements.filter(({ met }) => !met).length

function narrowedTo(suite: Suite, ids: ReadonlySet<string>): Suite {
  const cases = suite.cases.flatMap((one) => {
    const rows = one.rows.filter(({ id }) => ids.has(`${one.id}/${id}`))
    return rows.length > 0 ? [{ ...one, rows }] : []
  })
  return { ...suite, cases }
}

/** Named in the rows or in their probes, with a matcher other than that of the text. */
function formatsIn({ cases, probes }: Suite, base: Profile, text: Profile): string[] {
  const printed = JSON.stringify([cases, [...probes.values()]], (_, value: unknown) =>
    value instanceof Map ? [...value] : value,
  )
  return [...base.formats].flatMap(([name, { matcher }]) => {
    const isDifferent = JSON.stringify(matcher) !== JSON.stringify(text.formats.get(name)?.matcher)
    return isDifferent && printed.includes(`"format":${JSON.stringify(name)}`) ? [name] : []
  })
}

function withTextFormat(base: Profile, name: string): Profile {
  const format = base.formats.get(name)
  if (!format) return base
  return { ...base, formats: new Map([...base.formats, [name, { ...format, matcher: format.text }]]) }
}
