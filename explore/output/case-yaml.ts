/** A finding as a case of the suite: what was sent, and what the model makes of it. Pasted into a suite folder it is a row like any other. */
import { stringify } from 'yaml'
import { operationNamed } from '../../interface/operations.js'
import type { JsonValue } from '../../lib/json/json.js'
import type { Data } from '../../record/types/resolved-row.js'
import type { BaseRequest } from '../../runner/suite/suite.js'
import { valueAt } from '../../runner/template/pointer.js'
import { outcomeOf } from '../compare/compare-answers.js'
import type { Exchange } from '../compare/run-sequence.js'
import { variable } from '../generate/variable.js'
import type { Finding } from '../judge/finding.js'
import { bodyOfTurn, type Turn } from '../send/step.js'
import { matcherFor, seenElsewhere, seenName } from './matcher.js'

/** What of the suite a case can be written with. */
export interface Vocabulary {
  requests: ReadonlyMap<string, BaseRequest>
  /** The situation in which an answer is one that the profile expects, and the other one is not. */
  situationOf(exchange: Exchange): string | undefined
  /** Turns that put back what is vetted. */
  restoring(): readonly Turn[]
}

/** `known`: the model's ids and the variables that hold them. Undefined: the suite has no request of some operation to start from. */
export function caseYaml(
  finding: Pick<Finding, 'id' | 'ruling' | 'difference' | 'seed'>,
  told: readonly Exchange[],
  known: ReadonlyMap<string, string>,
  vocabulary: Vocabulary,
): string | undefined {
  const ids = new Map(known)
  const exchanges = withNamesOfTheirOwn(told)
  const last = exchanges.at(-1)
  if (!last) return undefined
  const elsewhere = seenElsewhere(finding.difference, exchanges)
  if (elsewhere) {
    const where = exchanges[elsewhere.index]
    if (where) where.turn.capture = { ...where.turn.capture, [seenName]: elsewhere.pointer }
    if (typeof finding.difference.model === 'string') ids.set(finding.difference.model, seenName)
  }
  const steps = exchanges.map((exchange, index) => stepOf(exchange, index, exchange === last, finding, ids, vocabulary))
  if (steps.some((step) => step === undefined)) return undefined
  const rules = 'rules' in finding.ruling ? finding.ruling.rules : []
  const changesVetting = exchanges.some(({ turn }) => turn.operation === 'update-package-vetting')
  const restore = changesVetting
    ? vocabulary.restoring().map((turn, index) => step(turn, `restore-${index + 1}`, vocabulary))
    : []
  const row = {
    id: `FOUND-${finding.id}`,
    title: `Found by exploring with seed ${finding.seed} - ${last.turn.about}`.slice(0, 110),
    rules: rules.length > 0 ? [...rules] : ['GEN-RESPONSE-SHAPE'],
    impact: changesVetting ? 'topology' : 'write',
    ...needsOf(exchanges.map(({ turn }) => turn)),
    ...(changesVetting && { serial: true }),
    ...letFor(
      exchanges.map(({ turn }) => turn),
      vocabulary,
    ),
    steps,
    ...(restore.length > 0 && { restore: restore.map((one) => ({ ...one, outcome: 'accepted' })) }),
  }
  return stringify(
    { operation: judgedOperation(exchanges), cases: [row] },
    { lineWidth: 140, aliasDuplicateObjects: false },
  )
}

/** The file of the suite into which the case belongs is that of the last request under test. */
function judgedOperation(exchanges: readonly Exchange[]): string {
  const found = exchanges.findLast(({ turn }) => judged.has(turn.operation))
  return found?.turn.operation ?? 'submit-and-wait'
}

const judged: ReadonlySet<string> = new Set([
  ...['contract-by-id', 'submit-and-wait', 'execute-and-wait-for-transaction', 'execute', 'update-package-vetting'],
])

/** Packages are also named by their ids, and those of the model are put back behind it. */
const isAboutVetting = ({ operation }: Turn): boolean => operation === 'update-package-vetting'

function needsOf(turns: readonly Turn[]): { needs?: string[] } {
  const text = JSON.stringify(turns)
  const needs = [
    ...(text.includes('conformance-') || turns.some(isAboutVetting) ? ['conformance-model'] : []),
    ...(/\$\{(?:eve|pia|trio)[.}]/.test(text) ? ['external-parties'] : []),
    ...(turns.some(({ token }) => token) ? ['authorization'] : []),
    ...(turns.some(({ request }) => request.wire) ? ['direct-connection'] : []),
  ]
  return needs.length > 0 ? { needs } : {}
}

type Step = Record<string, Data>

function stepOf(
  exchange: Exchange,
  index: number,
  isLast: boolean,
  { difference }: Pick<Finding, 'difference'>,
  ids: ReadonlyMap<string, string>,
  vocabulary: Vocabulary,
): Step | undefined {
  const made = step(exchange.turn, `step-${index + 1}`, vocabulary)
  if (!made) return undefined
  const situation = outcomeOf(exchange.model) === 'accepted' ? 'accepted' : vocabulary.situationOf(exchange)
  const { answer } = exchange.model
  const code = valueAt(answer?.json, '/code')
  const expected: Step = {
    ...(situation === undefined && answer && { status: [String(answer.status)] }),
    ...(situation === undefined && typeof code === 'string' && { body: { '/code': { equals: code } } }),
    ...(isLast && difference.pointer !== '' && { body: { [difference.pointer]: matcherFor(difference, ids) } }),
  }
  if (!isLast) return { ...made, ...(situation !== undefined && { outcome: situation }) }
  return {
    ...made,
    ...(situation !== undefined && { outcome: situation }),
    ...(Object.keys(expected).length > 0 && { expect: expected }),
  }
}

function step(turn: Turn, name: string, { requests }: Vocabulary): Step | undefined {
  const base = baseOf(turn, requests)
  if (!base) return undefined
  const send = sentOtherwise(turn)
  const body = bodyOfTurn(turn)
  const capture = Object.entries(turn.capture)
  return {
    ...{ name, request: base.name, as: turn.actor },
    ...(turn.token && { token: turn.token.name }),
    ...(body !== undefined && { edit: { '': body } }),
    ...(Object.keys(send).length > 0 && { send }),
    ...(capture.length > 0 && { capture: Object.fromEntries(capture) }),
  }
}

/** The request of the suite for that operation that speaks of the least. */
function baseOf(turn: Turn, requests: Vocabulary['requests']): BaseRequest | undefined {
  const isWithoutBody = turn.request.body === undefined
  return [...requests.values()]
    .filter(({ operation, body }) => operation === turn.operation && (body === undefined) === isWithoutBody)
    .toSorted((a, b) => foreignIn(a).length - foreignIn(b).length)[0]
}

const everywhere: ReadonlySet<string> = new Set([
  'row',
  'user',
  'alice',
  'bob',
  'carol',
  'eve',
  'pia',
  'trio',
  'synchronizerId',
  'participantId',
])

const foreignIn = ({ body }: BaseRequest): string[] =>
  [...JSON.stringify(body ?? null).matchAll(/\$\{([\w.-]+)\}/g)].flatMap(([, name = '']) =>
    everywhere.has(name) ? [] : [name],
  )

/** What the base requests speak of, and nobody sends: a suite wants it said all the same. */
function letFor(turns: readonly Turn[], { requests }: Vocabulary): { let?: Record<string, Data> } {
  const names = new Set(turns.flatMap((turn) => foreignIn(baseOf(turn, requests) ?? nothingOf(turn))))
  const own = [...names].filter((name) => !name.includes('.'))
  return own.length > 0
    ? { let: Object.fromEntries(own.map((name) => [name, name === 'party' ? variable('eve') : ''])) }
    : {}
}

const nothingOf = ({ operation }: Turn): BaseRequest => ({
  name: '',
  operation,
  location: { file: '', line: 0, column: 0 },
})

/** What is captured twice has two names in a suite. */
function withNamesOfTheirOwn(exchanges: readonly Exchange[]): Exchange[] {
  const current = new Map<string, string>()
  const taken = new Map<string, number>()
  return exchanges.map((exchange) => {
    const { turn } = exchange
    const text = JSON.stringify(turn.request).replace(/\$\{([\w.-]+)\}/g, (_, name: string) =>
      variable(current.get(name) ?? name),
    )
    const capture = Object.fromEntries(
      Object.entries(turn.capture).map(([name, pointer]) => {
        const count = (taken.get(name) ?? 0) + 1
        taken.set(name, count)
        const own = count === 1 ? name : `${name}-${count}`
        current.set(name, own)
        return [own, pointer]
      }),
    )
    return { ...exchange, turn: { ...turn, request: JSON.parse(text) as Turn['request'], capture } } // the same, with other names
  })
}

function sentOtherwise({ operation, request }: Turn): Step {
  const { method, path, headers, body, wire } = request
  const known = operationNamed(operation)
  const usual: Record<string, string> = {
    accept: 'application/json',
    ...(body && { 'content-type': 'application/json' }),
  }
  const changed = Object.entries(headers).filter(([name, value]) => usual[name] !== value)
  const missing = Object.keys(usual).filter((name) => headers[name] === undefined)
  const own = Object.fromEntries([...changed, ...missing.map((name): [string, null] => [name, null])])
  return {
    ...(method !== known?.method && { method }),
    ...(path !== known?.path && { path }),
    ...(Object.keys(own).length > 0 && { headers: own }),
    ...(body && 'text' in body && { text: body.text }),
    ...(body && 'json' in body && body.written !== undefined && { written: body.written }),
    ...(wire && { wire: { ...wire } }),
  }
}

/** The model's ids that a case can name: parties, and what its own steps capture. */
export function namesOfIds(
  exchanges: readonly Exchange[],
  variables: ReadonlyMap<string, JsonValue>,
): Map<string, string> {
  const names = new Map<string, string>()
  for (const [name, value] of variables)
    if (typeof value === 'string' && !name.startsWith('user.')) names.set(value, name)
  for (const { turn, model } of exchanges)
    for (const [name, pointer] of Object.entries(turn.capture)) {
      const value = valueAt(model.answer?.json, pointer)
      if (typeof value === 'string') names.set(value, name)
    }
  return names
}
