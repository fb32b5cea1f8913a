/**
 * Hundreds of random requests to every endpoint, ten times as many in `npm run test:endurance`. None may cause an unexpected exception or an answer with a wrong schema, and a
 * rejected one changes no state.
 */

import t, { type Test } from 'tap'
import { responseCheck } from '../../../interface/description.js'
import { type OperationName, operations } from '../../../interface/operations.js'
import type { JsonObject } from '../../../lib/json/json.js'
import { endpoints } from '../../../simulator/endpoints.js'
import type { Endpoint } from '../../../simulator/http/endpoint.js'
import type { VettingState } from '../../../simulator/ledger/packages/vetting.js'
import type { Participant } from '../../../simulator/participant/participant.js'
import { objectIn, submitPath } from '../../support/ledgers/simulator-environment.js'
import fc, { seed } from '../../support/records/properties.js'
import type { Wire, WireAnswer, WireRequest } from '../../support/servers/wire.js'
import { bodiesFor } from './hostile-bodies.js'
import { printed, templates } from './hostile-commands.js'
import { hostileEnvironment } from './hostile-environment.js'
import { damagedBody } from './hostile-json.js'

/** Factor for the number of requests: `HOSTILE_TIMES=10`. */
const times = Number(process.env['HOSTILE_TIMES'] ?? 1)

/** Server errors that `canton-3.5` may return, as observed on the reference participant 3.5.10. */
const faultsOfTheReference: { paths: RegExp; answer: string; reason: string }[] = [
  {
    paths: /submit-and-wait$|prepare$/,
    answer: '500 LEDGER_API_INTERNAL_ERROR',
    reason: 'a wrong JSON type, or a string that cannot be parsed, inside a Daml value',
  },
  {
    paths: /submit-and-wait$|prepare$/,
    answer: '500 NA',
    reason: 'a contract id of an unknown version; a key to prefetch named by package name; a duration without end',
  },
  {
    paths: /interactive-submission\/execute/,
    answer: '500 NA',
    reason: 'a root that names no node, no nodes, a signatory that is no informee; a duration without end',
  },
  { paths: /submit-and-wait$/, answer: '503 text', reason: 'a ledger time that is too far in the future' },
]

const kindOf = (answer: WireAnswer): string => {
  if (answer.contentType !== 'application/json') return `${answer.status} ${answer.text === '' ? 'nothing' : 'text'}`
  const body = answer.json()
  return `${answer.status} ${String(answer.status < 400 || Array.isArray(body) ? 'json' : objectIn(answer)['code'])}`
}

function flaws({ path }: Endpoint, answer: WireAnswer, isReference: boolean): string[] {
  const { status, contentType, text } = answer
  const kind = kindOf(answer)
  const isKnown = faultsOfTheReference.some((fault) => fault.paths.test(path) && fault.answer === kind)
  if (status >= 500 && !(isReference && isKnown)) return [`${kind} for an invalid request: ${text}`]
  if (contentType !== 'application/json') {
    const isFine = contentType === null ? text === '' : contentType.startsWith('text/plain') && text !== ''
    return isFine ? [] : [`${status} ${contentType}: ${text}`]
  }
  // All rejections have the same schema.
  const operation = status < 400 ? operationAt.get(path) : 'contract-by-id'
  if (operation === undefined) return []
  const found = responseCheck(operation, status)(answer.json())
  return found.map(({ pointer, argument }) => `${kind} ${pointer}: ${argument}`)
}

const operationAt = new Map(
  Object.entries(operations).map(([name, { path }]) => [path, name as OperationName]), // the keys of that table
)

/** State that a rejected request must not change; the states of vetting and packages are replaced, never modified. */
function stateOf({ ledger, users }: Participant) {
  return {
    end: ledger.end,
    completions: ledger.state.completions.length,
    transactions: ledger.transactionsBetween(0, ledger.end).length,
    active: ledger
      .activeAt(ledger.end)
      .map(({ contract }) => contract.id)
      .join(),
    vetting: ledger.synchronizer('')?.vetting,
    packages: ledger.packages,
    users: JSON.stringify(users.all().map((user) => [user, users.rights(user.id)])),
  }
}

function changesBetween(before: ReturnType<typeof stateOf>, after: ReturnType<typeof stateOf>): string[] {
  const names = Object.keys(before) as (keyof typeof before)[] // both have the same keys
  const changed = names.filter((name) => before[name] !== after[name])
  // A request that is rejected after its submission has a completion with an offset.
  const isCompletion = after.completions === before.completions + 1
  return changed.filter((name) => !(isCompletion && (name === 'completions' || name === 'end')))
}

/** Later requests need the vetted packages. */
function restoreVetting({ ledger }: Participant, vetting: VettingState | undefined): void {
  const synchronizer = ledger.synchronizer('')
  if (synchronizer && vetting) synchronizer.vetting = vetting
}

const segment = fc.constantFrom('u', 'x', 'alice%3A%3A12', '%ff', '%00', 'a%2fb', '..%2f', '__proto__')
const query = fc.constantFrom('', '', '', '?limit=x', '?limit=-1', '?a', '?vetAllPackages=7', '?=&&=')
const headers = fc.constantFrom<Record<string, string>>(
  ...[
    {},
    {},
    {},
    { accept: 'text/html' },
    { accept: '*/*' },
    { authorization: 'Bearer' },
    { authorization: 'Bearer x' },
  ],
  ...[{ 'content-type': 'text/plain' }, { 'content-encoding': 'gzip' }, { traceparent: '00-zz' }],
)

/** `attack` sends a request and throws if its answer or its effect is wrong. */
function createAttack(t: Test, participant: Participant, wire: Wire) {
  const logged = t.capture(console, 'error')
  const kinds = new Map<string, Set<string>>()
  const isReference = participant.behaviour.name === 'canton-3.5'
  const attack = async (endpoint: Endpoint, request: WireRequest): Promise<void> => {
    const before = stateOf(participant)
    const answer = await wire.send(request)
    const found = [
      ...flaws(endpoint, answer, isReference),
      ...logged().map(({ args }) => args.map(String).join(' ')),
      ...(answer.status >= 400 || endpoint.method === 'get' ? changesBetween(before, stateOf(participant)) : []),
    ]
    restoreVetting(participant, before.vetting)
    const kind = kindOf(answer)
    kinds.set(endpoint.path, (kinds.get(endpoint.path) ?? new Set()).add(kind))
    if (found.length > 0) throw new Error(`${kind} by ${endpoint.path}: ${found.join('\n')}`.slice(0, 2000))
  }
  return { attack, kinds }
}

for (const behaviour of ['canton-3.5', 'interface'] as const) {
  t.test(`no random request breaks the simulator: ${behaviour}`, async (t) => {
    t.comment(`PROPERTY_SEED=${seed}`)
    const rejections: unknown[] = []
    const notice = (reason: unknown) => rejections.push(reason)
    process.on('unhandledRejection', notice)
    t.teardown(() => process.off('unhandledRejection', notice))
    const hostile = await hostileEnvironment(t, behaviour)
    const { environment, participant } = hostile
    const { own, common } = bodiesFor(hostile)
    const { attack, kinds } = createAttack(t, participant, environment.wire)
    for (const endpoint of endpoints) {
      const { method, path } = endpoint
      const bodies = damagedBody(own.get(path) ?? common)
      const property = fc.asyncProperty(bodies, segment, query, headers, async (body, name, search, extra) => {
        const request = { method: method.toUpperCase(), path: path.replace(/:\w+/g, name) + search, headers: extra }
        await attack(endpoint, { ...request, ...(method !== 'get' && { body }) })
      })
      const numRuns = path === submitPath ? 60 : own.has(path) ? 24 : method === 'get' ? 1 : 5
      await fc.assert(property, { numRuns: times * numRuns })
    }
    t.strictSame(rejections, [], 'no unhandled rejection')
    for (const path of own.keys()) {
      const seen = [...(kinds.get(path) ?? [])]
      t.ok(
        seen.some((kind) => kind.startsWith('200')),
        `${path} accepted some requests`,
      )
      t.ok(seen.length > 3, `${path} returned several kinds of answers: ${seen.sort().join(', ')}`)
    }
    t.equal(
      (await environment.wire.post(submitPath, environment.submission())).status,
      200,
      'a valid request is still accepted',
    )
  })
}

t.test('huge requests are answered', async (t) => {
  const { environment, participant, contracts, blob } = await hostileEnvironment(t, 'canton-3.5')
  const { wire, alice } = environment
  const logged = t.capture(console, 'error')
  const many = (item: string, count: number): string => `${item},`.repeat(count).slice(0, -1)
  const numbered = (count: number, item: (index: number) => string): string =>
    Array.from({ length: count }, (_, index) => item(index)).join()
  const valid = (more: JsonObject = {}): string => JSON.stringify(environment.submission(more))
  const within = (members: string): string => valid().replace('{', `{${members},`)
  const bytes = (content: Buffer): string =>
    JSON.stringify({
      preparedTransaction: content.toString('base64'),
      partySignatures: { signatures: [] },
      submissionId: 's',
      hashingSchemeVersion: 'HASHING_SCHEME_VERSION_V2',
      deduplicationPeriod: { Empty: {} },
      userId: 'u',
    })
  const vetting = operations['update-package-vetting'].path
  const [execute, lookUp] = [operations.execute.path, operations['contract-by-id'].path]
  const crowd = Array.from({ length: 100_000 }, (_, index) => `p${index}::12`)
  const nowhere = (contracts[0] ?? '').replace(/.$/, (digit) => (digit === '0' ? '1' : '0'))
  const note = templates.find(({ id }) => id.entity === 'Note')
  const archive = { templateId: note ? printed(note.id) : '', contractId: nowhere, choice: 'Archive' }
  const unknown = { commands: [{ ExerciseCommand: { ...archive, choiceArgument: {} } }] }
  // An algorithm of quadratic time would exceed the time limit.
  const bodies: [title: string, path: string, body: string, kind: string][] = [
    ['numbers', submitPath, `[${many('0', 1_000_000)}]`, '400 text'],
    [
      'empty commands',
      submitPath,
      within(`"commands":[${many('{}', 300_000)}]`).replace(/,"commands":\[\{"C.*?\]/, ''),
      '400 text',
    ],
    ['one repeated member', submitPath, within(many('"a":0', 300_000)), '200 json'],
    ['members', submitPath, within(numbered(200_000, (index) => `"m${index}":0`)), '200 json'],
    [
      'members named like array indices',
      submitPath,
      within(numbered(200_000, (index) => `"${index * 7919}":0`)),
      '200 json',
    ],
    ['nesting', submitPath, within(`"x":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`), '200 json'],
    ['unclosed nesting', submitPath, '{"a":'.repeat(500_000), '400 text'],
    ['a string', submitPath, valid({ commandId: 'x'.repeat(5_000_000) }), '400 INVALID_FIELD'],
    ['digits', submitPath, valid({ tapsMaxPasses: '9'.repeat(5_000_000) }), '400 text'],
    ['a number', lookUp, `{"contractId":${'9'.repeat(5_000_000)}}`, '400 text'],
    ['one acting party', submitPath, valid({ actAs: Array.from({ length: 50_000 }, () => alice) }), '200 json'],
    ['parties in an error', submitPath, valid({ ...unknown, readAs: crowd }), '404 CONTRACT_NOT_FOUND'],
    ['reading parties', submitPath, valid({ readAs: crowd }), '200 json'],
    [
      'querying parties',
      lookUp,
      `{"contractId":"00${'ab'.repeat(40)}","queryingParties":[${many('"a::12"', 300_000)}]}`,
      '404 CONTRACT_PAYLOAD_NOT_FOUND',
    ],
    ['a contract id', lookUp, `{"contractId":"00${'ab'.repeat(2_000_000)}"}`, '400 INVALID_FIELD'],
    [
      'disclosed contracts',
      submitPath,
      valid({ disclosedContracts: Array.from({ length: 1_000 }, () => ({ createdEventBlob: blob })) }),
      '200 json',
    ],
    [
      'changes',
      vetting,
      `{"changes":[${many('{"operation":{"Unvet":{"value":{"packages":[{"packageName":"x"}]}}}}', 50_000)}]}`,
      '200 json',
    ],
    [
      'references',
      vetting,
      `{"changes":[{"operation":{"Unvet":{"value":{"packages":[${many('{"packageName":"x"}', 200_000)}]}}}}]}`,
      '200 json',
    ],
    ['fields of a transaction', execute, bytes(Buffer.alloc(500_000, Buffer.from([0x0a, 0]))), '400 MISSING_FIELD'],
    ['a varint', execute, bytes(Buffer.alloc(500_000, 0xff)), '400 INVALID_ARGUMENT'],
  ]
  for (const [title, path, body, kind] of bodies) {
    const before = stateOf(participant)
    const answer = await wire.send({ path, body })
    t.equal(kindOf(answer), kind, `${title}: ${Math.round(body.length / 1000)} kB`)
    t.ok(answer.text.length < 50_000, 'the answer is short')
    if (answer.status >= 400) t.strictSame(changesBetween(before, stateOf(participant)), [], title)
  }
  t.strictSame(logged(), [])
})
