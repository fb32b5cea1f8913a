/** Pure: judging again has the same result. */
import { wildcard } from '../../lib/wildcard.js'
import type { Judgement, RunHeader, RunRow } from '../types/record.js'
import type { RecordedWaiver } from '../types/recorded-options.js'
import type { Verdict } from '../types/verdict.js'
import { countingJudgements, unmetVerdict } from './counting-judgements.js'

export interface Waivers {
  all: readonly RecordedWaiver[]
  day: string
  /** Passing rows with a waiver are only printed. */
  lenient: boolean
  /** Waivers that match only this row, by its id. */
  named: ReadonlyMap<string, RecordedWaiver>
}

/** In a part of the suite, other rows may match a pattern. */
export function waiversOf({
  waivers = [],
  lenientWaivers,
  profile,
  startedAt,
  suite,
  plan,
}: Pick<RunHeader, 'waivers' | 'lenientWaivers' | 'profile' | 'startedAt' | 'suite' | 'plan'>): Waivers {
  const all = waivers.filter((one) => one.profile === undefined || one.profile === profile.name)
  const isWhole = suite.rows !== undefined && plan.length >= suite.rows
  const day = startedAt.slice(0, 10)
  const named = all.flatMap((one): [string, RecordedWaiver][] => {
    if (one.row === undefined || isExpired(one, { day })) return []
    const found = one.row.includes('*') && isWhole ? plan.filter(wildcard(one.row)) : [one.row]
    return found.length === 1 ? found.map((id) => [id, one]) : []
  })
  return { all, day, lenient: lenientWaivers === true, named: new Map(named) }
}

/** ISO 8601 dates compare as strings. */
export const isExpired = ({ until }: RecordedWaiver, { day }: { day: string }): boolean => until < day

export function withWaivers(row: RunRow, waivers: Waivers): RunRow {
  if (waivers.all.length === 0) return row
  const holding = waivers.all.filter((one) => !isExpired(one, waivers))
  if (row.verdict === 'fail' || row.verdict === 'blocked') {
    const [used] = waiversBehind(row, holding)
    if (used) return { ...row, verdict: 'excused', waiver: used }
    const over = waiversBehind(row, waivers.all).find((one) => isExpired(one, waivers))
    return over ? { ...row, waiver: { ...over, expired: true } } : row
  }
  const named = waivers.named.get(row.id)
  if (!named || waivers.lenient || !passing.includes(row.verdict)) return row
  return { ...row, verdict: 'unexpected-pass', waiver: named }
}

const passing: readonly Verdict[] = ['pass', 'warning', 'follows-the-text']

/** Empty if one failure is not covered. */
export function waiversBehind(row: RunRow, waivers: readonly RecordedWaiver[]): RecordedWaiver[] {
  const own = waivers.find((one) => one.row !== undefined && wildcard(one.row)(row.id))
  if (own) return [own]
  const broken = failing(row)
  const found = broken.map((judgement) => waivers.find((one) => covers(one, judgement)))
  return found.length > 0 && found.every((one) => one !== undefined)
    ? [...new Set(found)].flatMap((one) => one ?? [])
    : []
}

/** A blocked row breaks no rule. */
function failing({ verdict, resolved, judgements }: RunRow): Judgement[] {
  if (verdict === 'blocked') return []
  return countingJudgements({ resolved, judgements }).filter((one) => !one.met && unmetVerdict(one) === 'fail')
}

function covers({ rule, divergence }: RecordedWaiver, judgement: Judgement): boolean {
  if (rule !== undefined) return judgement.rules.some(wildcard(rule))
  return divergence !== undefined && judgement.divergence !== undefined && wildcard(divergence)(judgement.divergence)
}

export const aboutWhat = ({ row, rule, divergence }: RecordedWaiver): string =>
  row !== undefined ? `row ${row}` : rule !== undefined ? `rule ${rule}` : `divergence ${divergence ?? ''}`
