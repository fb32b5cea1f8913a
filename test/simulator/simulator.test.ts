/** HTTP behaviour of the simulator. */
import { createServer } from 'node:http'
import { type AddressInfo, connect as connectSocket } from 'node:net'
import t from 'tap'
import { responseCheck } from '../../interface/description.js'
import type { OperationName } from '../../interface/operations.js'
import { isJsonObject, type JsonObject } from '../../lib/json/json.js'
import { startSimulator } from '../../simulator/simulator.js'
import {
  createdContract,
  lookUpPath,
  objectIn,
  ping,
  simulatorEnvironment,
  submitPath,
} from '../support/ledgers/simulator-environment.js'
import { stillClock } from '../support/ledgers/still-clock.js'
import type { WireAnswer } from '../support/servers/wire.js'

function seen(answer: WireAnswer): string {
  const type = answer.contentType?.split(';')[0] ?? 'nothing'
  const code = type === 'application/json' ? objectIn(answer)['code'] : undefined
  return [answer.status, type, ...(typeof code === 'string' ? [code] : [])].join(' ')
}

const undecodable = '400 text/plain'

t.test('reads unusual paths as the reference does', async (t) => {
  const { wire, alice, url } = await simulatorEnvironment(t)
  const { host } = new URL(url)
  const lookUp = JSON.stringify({ contractId: '00', queryingParties: [alice] })
  t.equal(seen(await wire.send({ method: 'PROPFIND', path: '/v2/version' })), '501 text/plain')
  const known = [
    `${lookUpPath}/`,
    `/${lookUpPath}`,
    '/v2//contracts///contract-by-id',
    '/v2/../v2/./contracts/x/%2E%2e/contract-by-id',
    `${lookUpPath}?a=b&c`,
  ]
  const encoded = ['/%76%32/contracts/contract%2Dby%2did', '//%76%32/contracts/contract-by-id/']
  const absolute = [`http://${host}${lookUpPath}`, `http://${host}${lookUpPath}/?x`]
  for (const path of [...known, ...encoded, ...absolute]) {
    t.equal(seen(await wire.send({ path, body: lookUp })), '400 application/json INVALID_FIELD', path)
  }
  const unknown = ['/', '//', '/v2/contracts', lookUpPath.toUpperCase(), `${lookUpPath}%2F`, `${lookUpPath};a=b`]
  const shownOtherwise: readonly [path: string, shown: string][] = [
    [`${lookUpPath}%2f`, `${lookUpPath}%2F`],
    [`${lookUpPath}/%ff`, `${lookUpPath}/%EF%BF%BD`],
    ['/%41', '/A'],
  ]
  for (const [path, shown] of [...unknown.map((one) => [one, one] as const), ...shownOtherwise]) {
    const answer = await wire.send({ path, body: lookUp })
    t.equal(answer.status, 404, path)
    const errors = [`HttpMethod(POST), uri: http://${new URL(answer.url).host}${shown}`]
    t.strictSame(answer.json(), { errors, status: 404, ledgerApiError: null })
  }
  const elsewhere = await wire.send({ path: `http://${host}`, body: lookUp })
  t.match(elsewhere.json(), { errors: [`HttpMethod(POST), uri: http://${host}`] })
  t.equal(seen(await wire.send({ method: 'GET', path: '/v2/parties/%ff' })), '400 application/json INVALID_ARGUMENT')
})

t.test('reports only the first of hundreds of thousands of problems', async (t) => {
  const { wire } = await simulatorEnvironment(t)
  const body = `{"prefetchContractKeys":[${'0,'.repeat(200_000)}0]}`
  const answer = await wire.send({ path: submitPath, body })
  t.equal(seen(answer), undecodable)
  t.ok(answer.text.length < 20_000, `${answer.text.length} characters`)
})

t.test('decodes the members around a problem', async (t) => {
  const { wire, alice } = await simulatorEnvironment(t)
  const printed = t.capture(console, 'error')
  const eventFormat = { filtersByParty: { [alice]: 7 }, filtersForAnyParty: [] }
  const answer = await wire.post('/v2/state/active-contracts', { activeAtOffset: 0, eventFormat })
  t.equal(seen(answer), undecodable)
  t.match(answer.text, 'eventFormat.filtersByParty')
  t.strictSame(printed(), [])
})

t.test('prints no error when a client disconnects during its request', async (t) => {
  const { url, wire, submission } = await simulatorEnvironment(t)
  const printed = t.capture(console, 'error')
  const port = Number(new URL(url).port)
  await new Promise<void>((resolve, reject) => {
    const socket = connectSocket(port, '127.0.0.1', () => {
      const head = `POST ${submitPath} HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1000\r\n\r\n{"commands":`
      socket.write(head, () => socket.destroy())
    })
    socket.on('close', () => resolve())
    socket.on('error', reject)
  })
  for (let round = 0; round < 3; round += 1) {
    t.equal(seen(await wire.post(submitPath, submission())), '200 application/json')
  }
  t.strictSame(printed(), [])
})

t.test('rejects a used port and an unreadable setting, and stops', async (t) => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  const { port } = server.address() as AddressInfo // a TCP address
  await t.rejects(startSimulator({ port }), { code: 'EADDRINUSE' })
  const first = await startSimulator()
  await first.close()
  const again = await startSimulator({ port: Number(new URL(first.url).port) })
  t.equal(again.url, first.url, 'the port is free after the stop')
  await again.close()
  await t.resolves(again.close(), 'a second stop has no effect')
})

/** The reference answers with a server error. */
const faults = (alice: string): [title: string, more: JsonObject][] => {
  const create = (createArguments: JsonObject | number): JsonObject => ({
    commands: [{ CreateCommand: { templateId: ping, createArguments } }],
  })
  const exercise = (contractId: string): JsonObject => ({
    commands: [{ ExerciseCommand: { templateId: ping, contractId, choice: 'Respond', choiceArgument: {} } }],
  })
  const endless = { seconds: '9223372036854775000' }
  return [
    ['a number as argument', create(7)],
    ['a number instead of a string', create({ id: 7, initiator: alice, responder: alice })],
    ['a contract id with an unknown suffix', exercise(`00${'ab'.repeat(40)}`)],
    ['a contract id of version 2', exercise(`01${'ab'.repeat(40)}`)],
    ['a prefetched key by package name', { prefetchContractKeys: [{ templateId: ping, contractKey: {} }] }],
    ['a deduplication period out of range', { deduplicationPeriod: { DeduplicationDuration: { value: endless } } }],
  ]
}

t.test('answers client errors with a server error only where the reference does', async (t) => {
  const plain = await simulatorEnvironment(t, { behaviour: 'interface' })
  const imitating = await simulatorEnvironment(t, { behaviour: 'canton-3.5' })
  for (const [title, more] of faults(plain.alice)) {
    const answer = await plain.wire.post(submitPath, plain.submission(more))
    t.ok(answer.status >= 400 && answer.status < 500, `interface, ${title}: ${seen(answer)}`)
    t.strictSame(violations('submit-and-wait', answer), [])
  }
  for (const [title, more] of faults(imitating.alice)) {
    const answer = await imitating.wire.post(submitPath, imitating.submission(more))
    t.equal(answer.status, 500, `canton-3.5, ${title}: ${seen(answer)}`)
    t.strictSame(violations('submit-and-wait', answer), [])
  }
})

t.test('accepts ambiguous input only where the reference does', async (t) => {
  const odd = (submission: JsonObject): JsonObject[] => [
    { commands: [{ ...firstCommand(submission), ExerciseCommand: {} }] },
    { deduplicationPeriod: { DeduplicationDuration: { value: { seconds: 1 } }, Empty: {} } },
    { deduplicationPeriod: { DeduplicationDuration: { value: 30 } } },
    { minLedgerTimeRel: true },
    { minLedgerTimeRel: [] },
    { minLedgerTimeRel: '5s' },
  ]
  for (const behaviour of ['canton-3.5', 'interface'] as const) {
    const { wire, submission } = await simulatorEnvironment(t, { behaviour })
    for (const more of odd(submission({}))) {
      const answer = await wire.post(submitPath, submission(more))
      t.equal(answer.status, behaviour === 'interface' ? 400 : 200, `${behaviour}: ${JSON.stringify(more)}`)
    }
  }
})

const firstCommand = ({ commands }: JsonObject): JsonObject => {
  const first = Array.isArray(commands) ? commands[0] : undefined
  return first !== undefined && isJsonObject(first) ? first : {}
}

const violations = (operation: OperationName, answer: WireAnswer) =>
  responseCheck(operation, answer.status)(answer.json())

t.test('breaks exactly the rules that are not enforced', async (t) => {
  const { wire, submission } = await simulatorEnvironment(t, {
    overrides: { without: ['SAW-COMMAND-ID-LEDGER-STRING'] },
  })
  t.equal((await wire.post(submitPath, submission({ commandId: 'ü' }))).status, 200)
  t.equal((await wire.post(submitPath, submission({ submissionId: 'ü' }))).status, 400)
})

t.test('repeats the ids of a run with the same seed', async (t) => {
  const run = async () => {
    const environment = await simulatorEnvironment(t, { seed: 'the same ids', clock: stillClock() })
    return [
      environment.alice,
      environment.participant,
      await createdContract(environment, environment.submission({ commandId: 'c' })),
    ]
  }
  t.strictSame(await run(), await run())
})
