/** What text and profile make of a difference: whether both answers are permitted, and if not, which rule is at stake. */
import { type OperationName, operationNamed, operations } from '../../interface/operations.js'
import type { ResolvedExpectation, ResolvedStep } from '../../record/resolved-row.js'
import type { Answer } from '../../runner/judge/answer.js'
import { evaluateCheck } from '../../runner/judge/evaluate-check.js'
import type { ResolvedSuite } from '../../runner/suite/resolved-suite.js'
import { outcomeOf, saidBy } from '../compare/compare-answers.js'
import type { Exchange } from '../pair/converse.js'
import type { Turn } from '../talk/conversation.js'
import type { Ruling } from './finding.js'

export interface Rulebook {
  /** 'permitted': the profile has room for both answers. */
  rule(exchange: Exchange, before: readonly Exchange[]): Ruling | 'permitted'
  /** The situation by which the profile expects what the model answered, and not what the target did; undefined: none. */
  situationOf(exchange: Exchange): string | undefined
}

interface Stance {
  /** What the profile and what the text alone expect in a situation; the same whichever row says it. */
  profile: ResolvedExpectation
  text: ResolvedExpectation
  /** With how many rows say so. */
  rules: Map<string, number>
  /** Only requests in another form than the usual one are in it. */
  isOfForm: boolean
}

export interface RulebookSource {
  /** As the profile has it, and as the text alone does. Asked for once, when something has to be judged. */
  resolve(): { suite: ResolvedSuite; text: ResolvedSuite }
  /** The text alone is what is judged by. */
  isText: boolean
}

export function rulebookOf({ resolve, isText }: RulebookSource): Rulebook {
  let made: { stances: ReadonlyMap<string, ReadonlyMap<string, Stance>>; members: MemberRules } | undefined
  const tables = () => {
    if (made) return made
    const { suite, text } = resolve()
    made = { stances: stancesOf(suite, text), members: rulesOfMembers(suite) }
    return made
  }
  return {
    situationOf: ({ turn, model, target }) =>
      situationOf(tables().stances.get(turn.operation) ?? new Map(), turn, model.answer, target.answer),
    rule: (exchange, before) => {
      const { stances, members } = tables()
      const { turn, difference, model, target } = exchange
      if (!difference) return 'permitted'
      const operation = judgedOperation(turn.operation)
      if (!operation) return isText ? 'permitted' : onLedger(before, members)
      const { outcomes } = difference
      if (outcomes.target === 'server-error')
        return {
          kind: 'breaks-rule',
          rules: ['GEN-NO-SERVER-ERROR'],
          because: 'a request is answered by a server error',
        }
      if (outcomes.target === 'no-answer')
        return { kind: 'breaks-rule', rules: ['GEN-POST'], because: 'there is no answer' }
      if (outcomes.model === 'server-error' || outcomes.model === 'no-answer')
        return isText
          ? 'permitted'
          : { kind: 'model-may-be-wrong', rules: ['GEN-NO-SERVER-ERROR'], because: 'the model fails' }
      if (outcomes.model === 'accepted' && outcomes.target === 'accepted')
        return isText
          ? byText(difference.pointer, members, operation)
          : inAnswer(difference.pointer, members, operation)
      return model.answer && target.answer
        ? bySituation(likely(stances.get(operation) ?? new Map(), turn), model.answer, target.answer, isText, {
            model: saidBy(model),
            target: saidBy(target),
            isAccepted: outcomeOf(target) === 'accepted',
          })
        : { kind: 'text-is-silent', because: 'one of the two was not asked' }
    },
  }
}

const judgedOperation = (name: string): OperationName | undefined =>
  Object.hasOwn(operations, name) ? (name as OperationName) : undefined // just found to be a key

/** The one that says most. */
function situationOf(
  stances: ReadonlyMap<string, Stance>,
  turn: Turn,
  model: Answer | undefined,
  target: Answer | undefined,
): string | undefined {
  if (!model) return undefined
  const told = [...stances].filter(
    ([, { profile, isOfForm }]) => (!isOfForm || !isUsual(turn)) && isMet(profile, model),
  )
  const telling = told.filter(([, { profile }]) => !target || !isMet(profile, target))
  const checksOf = ([, { profile }]: [string, Stance]): number =>
    profile.anyOf.length > 1 ? 0 : (profile.anyOf[0]?.checks.length ?? 0)
  const ranked = (telling.length > 0 ? telling : told).toSorted((a, b) => checksOf(b) - checksOf(a))
  return ranked[0]?.[0]
}

/** The situations that a request of this form can be in. */
const likely = (stances: ReadonlyMap<string, Stance>, turn: Turn): Stance[] =>
  [...stances.values()].filter(({ isOfForm }) => !isOfForm || !isUsual(turn))

/** A POST of JSON to the path of the operation, with the caller's own token. */
function isUsual({ operation, request, token }: Pick<ResolvedStep, 'operation' | 'request' | 'token'>): boolean {
  const { method, path, query, body, wire } = request
  const known = operationNamed(operation)
  const isJson = body !== undefined && 'json' in body && body.written === undefined
  return method === known?.method && path === known.path && !query && isJson && !wire && !token
}

function bySituation(
  stances: readonly Stance[],
  model: Answer,
  target: Answer,
  isText: boolean,
  said: { model: string; target: string; isAccepted: boolean },
): Ruling | 'permitted' {
  const met = stances.filter(({ profile }) => isMet(profile, model))
  const permitting = met.filter(({ profile }) => isMet(profile, target))
  if (met.length > 0 && permitting.length === met.length && !isText) return 'permitted'
  const breaking = met.filter(({ text }) => !isMet(text, target))
  if (met.length > 0 && breaking.length === met.length) {
    const rules = mostCommon(breaking)
    return {
      kind: 'breaks-rule',
      rules,
      because: `what is answered with "${said.model}" must not be answered with "${said.target}"`,
    }
  }
  if (isText) return 'permitted'
  return {
    kind: 'text-is-silent',
    because: said.isAccepted
      ? 'the text does not decide whether this is accepted'
      : 'the text does not decide how this is answered; the profile does',
  }
}

/** An alternative of which every check that speaks of one answer is met. */
const isMet = ({ anyOf }: ResolvedExpectation, answer: Answer): boolean =>
  anyOf.some(({ checks }) =>
    checks
      .filter(({ on }) => on === 'status' || on === 'media-type' || on === 'body')
      .every((check) => isPlain(check) && evaluateCheck(check, answer, nothing).every(({ met }) => met)),
  )

/** A check that speaks of a variable cannot be made here, and is left to the suite. */
const isPlain = (check: unknown): boolean => !JSON.stringify(check).includes('${')

const nothing = new Map<string, never>()

function stancesOf(suite: ResolvedSuite, text: ResolvedSuite): Map<string, Map<string, Stance>> {
  const found = new Map<string, Map<string, Stance>>()
  const textRows = new Map(text.rows.map((row) => [row.id, row]))
  for (const row of suite.rows) {
    const index = row.steps.findIndex(({ role }) => role === 'act')
    const own = outcomeIn(row.steps[index]?.expectations)
    const alone = outcomeIn(textRows.get(row.id)?.steps[index]?.expectations)
    if (!own?.situation || !alone) continue
    const known = found.get(row.operation) ?? new Map<string, Stance>()
    found.set(row.operation, known)
    const stance = known.get(own.situation) ?? {
      profile: own,
      text: alone,
      rules: new Map<string, number>(),
      isOfForm: true,
    }
    known.set(own.situation, stance)
    const act = row.steps[index]
    if (act && isUsual(act)) stance.isOfForm = false
    for (const rule of own.rules) stance.rules.set(rule, (stance.rules.get(rule) ?? 0) + 1)
  }
  return found
}

const outcomeIn = (expectations: readonly ResolvedExpectation[] | undefined): ResolvedExpectation | undefined =>
  expectations?.find(({ kind }) => kind === 'outcome')

const mostNamed = 4

/** Those that most rows say, over all of the situations. */
function mostCommon(stances: readonly Stance[]): string[] {
  const counts = new Map<string, number>()
  for (const { rules } of stances) for (const [rule, count] of rules) counts.set(rule, (counts.get(rule) ?? 0) + count)
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, mostNamed)
    .map(([rule]) => rule)
}

type MemberRules = ReadonlyMap<string, ReadonlySet<string>>

/** Rules of members of answers, by operation and pointer without indices. */
function rulesOfMembers({ rows }: ResolvedSuite): MemberRules {
  const found = new Map<string, Set<string>>()
  for (const { steps } of rows)
    for (const { operation, expectations } of steps)
      for (const { kind, rules, anyOf } of expectations) {
        if (kind !== 'content') continue
        for (const check of anyOf.flatMap(({ checks }) => checks)) {
          if (check.on !== 'body') continue
          const key = `${operation} ${placeOf(check.pointer)}`
          found.set(key, new Set([...(found.get(key) ?? []), ...rules]))
        }
      }
  return found
}

const placeOf = (pointer: string): string => pointer.replace(/\/\d+(?=\/|$)/g, '/*')

/** The rules of the member, or of the nearest one around it. */
function rulesAt(pointer: string, members: MemberRules, operation: string): string[] {
  for (let place = placeOf(pointer); place !== ''; place = place.slice(0, place.lastIndexOf('/'))) {
    const rules = members.get(`${operation} ${place}`)
    if (rules) return [...rules].slice(0, mostNamed)
  }
  return []
}

function inAnswer(pointer: string, members: MemberRules, operation: string): Ruling {
  const rules = rulesAt(pointer, members, operation)
  return rules.length > 0
    ? { kind: 'breaks-rule', rules, because: `${pointer} is another than what these rules and the model have there` }
    : { kind: 'text-is-silent', because: `no rule speaks of ${pointer || 'the whole answer'}` }
}

/** Members that the text itself determines, whatever a participant makes of what it leaves open. */
const determined: ReadonlySet<string> = new Set(['/createdEvent/contractId', '/createdEvent/witnessParties'])

const byText = (pointer: string, members: MemberRules, operation: string): Ruling | 'permitted' =>
  determined.has(placeOf(pointer)) ? inAnswer(pointer, members, operation) : 'permitted'

/** What is seen of the ledger is the doing of the requests before. */
function onLedger(before: readonly Exchange[], members: MemberRules): Ruling {
  const last = before.toReversed().find(({ turn }) => judgedOperation(turn.operation) !== undefined)
  if (!last) return { kind: 'text-is-silent', because: 'the operation only supports those under test' }
  const isRefused = outcomeOf(last.target) !== 'accepted'
  if (isRefused)
    return {
      kind: 'breaks-rule',
      rules: ['GEN-NO-EFFECT'],
      because: 'the ledger shows another history than the answers told of',
    }
  const rules = [
    ...new Set(
      [...members.entries()].flatMap(([key, own]) => (key.startsWith(`${last.turn.operation} `) ? [...own] : [])),
    ),
  ]
  return {
    kind: 'breaks-rule',
    rules: rules.slice(0, mostNamed),
    because: `the ledger shows other effects of ${last.turn.operation}`,
  }
}
