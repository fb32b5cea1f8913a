/** What profile and text expect in each situation, and by which rows such a situation is known. */
import { operationNamed } from '../../interface/operations.js'
import type { ResolvedExpectation, ResolvedStep } from '../../record/types/resolved-row.js'
import type { Answer } from '../../runner/judge/answer.js'
import { evaluateCheck } from '../../runner/judge/evaluate-check.js'
import type { ResolvedSuite } from '../../runner/suite/resolved-suite.js'
import type { Turn } from '../send/step.js'
import { featuresWith, membersIn } from './features.js'

export interface Stance {
  /** What the profile and what the text alone expect in a situation; the same whichever row says it. */
  profile: ResolvedExpectation
  text: ResolvedExpectation
  rows: Witness[]
  /** Only requests in another form than the usual one are in it. */
  isOfForm: boolean
}

/** A row that is in the situation. */
export interface Witness {
  rules: readonly string[]
  /** Features of its request that no request has which the text wants accepted. */
  unusual: readonly string[]
  /** Features that most of those do not have either. */
  own: readonly string[]
}

/** Of one operation. */
export interface Stances {
  bySituation: Map<string, Stance>
  /** Of bodies, those at the top. */
  members: Set<string>
}

export type AllStances = ReadonlyMap<string, Stances>

/** By operation. */
export function stancesOf(suite: ResolvedSuite, text: ResolvedSuite): Map<string, Stances> {
  const found = new Map<string, Stances>()
  const sources = sourcesIn(suite, text)
  for (const { operation, act } of sources) {
    const known = found.get(operation) ?? { bySituation: new Map(), members: new Set() }
    found.set(operation, known)
    for (const name of membersIn(act.request)) known.members.add(name)
  }
  const accepted = acceptedIn(sources, found)
  for (const { operation, before, act, own, alone, situation } of sources) {
    const { bySituation, members } = found.get(operation) ?? { bySituation: new Map<string, Stance>(), members: nobody }
    const stance = bySituation.get(situation) ?? { profile: own, text: alone, rows: [], isOfForm: true }
    bySituation.set(situation, stance)
    if (isUsual(act)) stance.isOfForm = false
    const { counts, rows } = accepted.get(operation) ?? nothingAccepted
    const features = [...featuresWith(before, act, members)]
    stance.rows.push({
      rules: own.rules,
      unusual: features.filter((feature) => !counts.has(feature)),
      own: features.filter((feature) => (counts.get(feature) ?? 0) * 2 < rows),
    })
  }
  return found
}

const nobody: ReadonlySet<string> = new Set()

interface Source {
  operation: string
  before: readonly ResolvedStep[]
  act: ResolvedStep
  own: ResolvedExpectation
  alone: ResolvedExpectation
  situation: string
}

function sourcesIn(suite: ResolvedSuite, text: ResolvedSuite): Source[] {
  const textRows = new Map(text.rows.map((row) => [row.id, row]))
  return suite.rows.flatMap((row) => {
    const index = row.steps.findIndex(({ role }) => role === 'act')
    const act = row.steps[index]
    const own = outcomeIn(act)
    const alone = outcomeIn(textRows.get(row.id)?.steps[index])
    return act && own?.situation && alone
      ? [{ operation: row.operation, before: row.steps.slice(0, index), act, own, alone, situation: own.situation }]
      : []
  })
}

const outcomeIn = (step: ResolvedStep | undefined): ResolvedExpectation | undefined =>
  step?.expectations.find(({ kind }) => kind === 'outcome')

/** How many of the rows that are to be accepted have each feature. */
interface Accepted {
  rows: number
  counts: Map<string, number>
}

const nothingAccepted: Accepted = { rows: 0, counts: new Map() }

function acceptedIn(sources: readonly Source[], stances: AllStances): Map<string, Accepted> {
  const found = new Map<string, Accepted>()
  for (const { operation, before, act, alone } of sources) {
    if (!alone.anyOf.every(({ outcome }) => outcome === 'accepted')) continue
    const accepted = found.get(operation) ?? { rows: 0, counts: new Map<string, number>() }
    found.set(operation, accepted)
    accepted.rows += 1
    for (const feature of featuresWith(before, act, stances.get(operation)?.members ?? nobody))
      accepted.counts.set(feature, (accepted.counts.get(feature) ?? 0) + 1)
  }
  return found
}

/** The one that says most. */
export function situationOf(
  { bySituation }: Stances,
  turn: Turn,
  model: Answer | undefined,
  target: Answer | undefined,
): string | undefined {
  if (!model) return undefined
  const told = [...bySituation].filter(
    ([, { profile, isOfForm }]) => (!isOfForm || !isUsual(turn)) && isMet(profile, model),
  )
  const telling = told.filter(([, { profile }]) => !target || !isMet(profile, target))
  const checksOf = ([, { profile }]: [string, Stance]): number =>
    profile.anyOf.length > 1 ? 0 : (profile.anyOf[0]?.checks.length ?? 0)
  const ranked = (telling.length > 0 ? telling : told).toSorted((a, b) => checksOf(b) - checksOf(a))
  return ranked[0]?.[0]
}

/** The situations that a request of this form can be in. */
export const likely = ({ bySituation }: Stances, turn: Turn): Stance[] =>
  [...bySituation.values()].filter(({ isOfForm }) => !isOfForm || !isUsual(turn))

/** A POST of JSON to the path of the operation, with the caller's own token. */
function isUsual({ operation, request, token }: Pick<ResolvedStep, 'operation' | 'request' | 'token'>): boolean {
  const { method, path, query, body, wire } = request
  const known = operationNamed(operation)
  const isJson = body !== undefined && 'json' in body && body.written === undefined
  return method === known?.method && path === known.path && !query && isJson && !wire && !token
}

/** An alternative of which every check that speaks of one answer is met. */
export const isMet = ({ anyOf }: ResolvedExpectation, answer: Answer): boolean =>
  anyOf.some(({ checks }) =>
    checks
      .filter(({ on }) => on === 'status' || on === 'media-type' || on === 'body')
      .every((check) => isPlain(check) && evaluateCheck(check, answer, nothing).every(({ met }) => met)),
  )

/** A check that speaks of a variable cannot be made here, and is left to the suite. */
const isPlain = (check: unknown): boolean => !JSON.stringify(check).includes('${')

const nothing = new Map<string, never>()
