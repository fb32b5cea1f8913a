/** Answers of the reference become expectations. */
import { stringify } from 'yaml'
import { operationNamed } from '../../interface/operations.js'
import type { JsonValue } from '../../lib/json/json.js'
import type { Data } from '../../record/types/resolved-row.js'
import type { BaseRequest } from '../../runner/suite/suite.js'
import { valueAt } from '../../runner/template/pointer.js'
import { outcomeOf } from '../compare/compare-answers.js'
import type { Exchange } from '../compare/run-sequence.js'
import { variable } from '../generate/draft-step.js'
import { isJudged } from '../generate/sequence-generator.js'
import type { Finding } from '../judge/finding.js'
import { bodyOfStep, type Step } from '../send/step.js'
import { findEarlierValue, matcherFor, seenName } from './matcher.js'

export interface Vocabulary {
  requests: ReadonlyMap<string, BaseRequest>
  /** By name, which is also their variable. */
  fixtures: ReadonlyMap<string, unknown>
  situationOf(exchange: Exchange): string | undefined
  restoringSteps(): readonly Step[]
}

/** `names`: variables by id of the reference. Undefined if the suite lacks a base request. */
export function caseYaml(
  finding: Pick<Finding, 'id' | 'ruling' | 'difference' | 'seed'>,
  sent: readonly Exchange[],
  names: ReadonlyMap<string, string>,
  vocabulary: Vocabulary,
): string | undefined {
  const ids = new Map(names)
  const exchanges = withUniqueCaptures(sent)
  const last = exchanges.at(-1)
  if (!last) return undefined
  const earlier = findEarlierValue(finding.difference, exchanges)
  if (earlier) {
    const exchange = exchanges[earlier.index]
    if (exchange) exchange.step.capture = { ...exchange.step.capture, [seenName]: earlier.pointer }
    if (typeof finding.difference.reference === 'string') ids.set(finding.difference.reference, seenName)
  }
  const caseSteps = exchanges.map((exchange, index) =>
    stepWithExpectations(exchange, index, exchange === last, finding, ids, vocabulary),
  )
  if (caseSteps.includes(undefined)) return undefined
  const rules = 'rules' in finding.ruling ? finding.ruling.rules : []
  const steps = exchanges.map(({ step }) => step)
  const changesVetting = steps.some(isVettingChange)
  const restore = changesVetting
    ? vocabulary.restoringSteps().map((step, index) => caseStep(step, `restore-${index + 1}`, vocabulary))
    : []
  const row = {
    id: `FOUND-${finding.id}`,
    title: `Found with seed ${finding.seed}: ${last.step.about}`.slice(0, 110),
    rules: rules.length > 0 ? [...rules] : ['GEN-RESPONSE-SHAPE'],
    impact: changesVetting ? 'topology' : 'write',
    ...needsOf(steps),
    ...(changesVetting && { serial: true }),
    ...letFor(steps, vocabulary),
    steps: caseSteps,
    ...(restore.length > 0 && { restore: restore.map((one) => ({ ...one, outcome: 'accepted' })) }),
  }
  // A case belongs to the operation of its last request under test.
  const operation = steps.findLast(isJudged)?.operation ?? 'submit-and-wait'
  return stringify({ operation, cases: [row] }, { lineWidth: 140, aliasDuplicateObjects: false })
}

const isVettingChange = ({ operation }: Step): boolean => operation === 'update-package-vetting'

function needsOf(steps: readonly Step[]): { needs?: string[] } {
  const text = JSON.stringify(steps)
  const needs = [
    // Vetting changes may contain package ids alone.
    ...(text.includes('conformance-') || steps.some(isVettingChange) ? ['conformance-model'] : []),
    ...(/\$\{(?:eve|pia|trio)[.}]/.test(text) ? ['external-parties'] : []),
    ...(steps.some(({ token }) => token) ? ['authorization'] : []),
    ...(steps.some(({ request }) => request.wire) ? ['direct-connection'] : []),
  ]
  return needs.length > 0 ? { needs } : {}
}

type CaseStep = Record<string, Data>

function stepWithExpectations(
  exchange: Exchange,
  index: number,
  isLast: boolean,
  { difference }: Pick<Finding, 'difference'>,
  ids: ReadonlyMap<string, string>,
  vocabulary: Vocabulary,
): CaseStep | undefined {
  const made = caseStep(exchange.step, `step-${index + 1}`, vocabulary)
  if (!made) return undefined
  const situation = outcomeOf(exchange.reference) === 'accepted' ? 'accepted' : vocabulary.situationOf(exchange)
  const { answer } = exchange.reference
  const code = valueAt(answer?.json, '/code')
  const expect: CaseStep = {
    ...(situation === undefined && answer && { status: [String(answer.status)] }),
    ...(situation === undefined && typeof code === 'string' && { body: { '/code': { equals: code } } }),
    ...(difference.pointer !== '' && { body: { [difference.pointer]: matcherFor(difference, ids) } }),
  }
  return {
    ...made,
    ...(situation !== undefined && { outcome: situation }),
    ...(isLast && Object.keys(expect).length > 0 && { expect }),
  }
}

function caseStep(step: Step, name: string, { requests }: Vocabulary): CaseStep | undefined {
  const base = baseOf(step, requests)
  if (!base) return undefined
  const send = unusualForm(step)
  const body = bodyOfStep(step)
  const capture = Object.entries(step.capture)
  return {
    name,
    request: base.name,
    as: step.actor,
    ...(step.token && { token: step.token.name }),
    ...(body !== undefined && { edit: { '': body } }),
    ...(Object.keys(send).length > 0 && { send }),
    ...(capture.length > 0 && { capture: Object.fromEntries(capture) }),
  }
}

/** The base request with the fewest variables that a case must define. */
function baseOf(step: Step, requests: Vocabulary['requests']): BaseRequest | undefined {
  const isWithoutBody = step.request.body === undefined
  return [...requests.values()]
    .filter(({ operation, body }) => operation === step.operation && (body === undefined) === isWithoutBody)
    .toSorted((a, b) => undefinedIn(a).length - undefinedIn(b).length)[0]
}

const predefined: ReadonlySet<string> = new Set(
  'row user alice bob carol eve pia trio synchronizerId participantId'.split(' '),
)

const undefinedIn = ({ body }: BaseRequest): string[] =>
  [...JSON.stringify(body ?? null).matchAll(/\$\{([\w.-]+)\}/g)].flatMap(([, name = '']) =>
    predefined.has(name) ? [] : [name],
  )

/** A suite requires variables of base requests even if no step sends them. */
function letFor(steps: readonly Step[], { requests, fixtures }: Vocabulary): { let?: Record<string, Data> } {
  const bases = steps.flatMap((step) => baseOf(step, requests) ?? [])
  const own = [...new Set(bases.flatMap(undefinedIn))].filter((name) => !name.includes('.') && !fixtures.has(name))
  return own.length > 0
    ? { let: Object.fromEntries(own.map((name) => [name, name === 'party' ? variable('eve') : ''])) }
    : {}
}

/** A case captures each variable once. */
function withUniqueCaptures(exchanges: readonly Exchange[]): Exchange[] {
  const current = new Map<string, string>()
  const taken = new Map<string, number>()
  return exchanges.map((exchange) => {
    const { step } = exchange
    const text = JSON.stringify(step.request).replace(/\$\{([\w.-]+)\}/g, (_, name: string) =>
      variable(current.get(name) ?? name),
    )
    const capture = Object.fromEntries(
      Object.entries(step.capture).map(([name, pointer]) => {
        const count = (taken.get(name) ?? 0) + 1
        taken.set(name, count)
        const own = count === 1 ? name : `${name}-${count}`
        current.set(name, own)
        return [own, pointer]
      }),
    )
    return { ...exchange, step: { ...step, request: JSON.parse(text) as Step['request'], capture } } // the same, with other names
  })
}

function unusualForm({ operation, request }: Step): CaseStep {
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

export function namesOfIds(
  exchanges: readonly Exchange[],
  variables: ReadonlyMap<string, JsonValue>,
): Map<string, string> {
  const names = new Map<string, string>()
  for (const [name, value] of variables)
    if (typeof value === 'string' && !name.startsWith('user.')) names.set(value, name)
  for (const { step, reference } of exchanges)
    for (const [name, pointer] of Object.entries(step.capture)) {
      const value = valueAt(reference.answer?.json, pointer)
      if (typeof value === 'string') names.set(value, name)
    }
  return names
}
