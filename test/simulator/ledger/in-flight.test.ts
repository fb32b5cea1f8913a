/** Concurrent submissions: exactly one of several exclusive ones succeeds, and each other one is rejected with the reason. */
import t, { type Test } from 'tap'
import { responseCheck } from '../../../interface/description.js'
import { isJsonObject, type JsonObject } from '../../../lib/json/json.js'
import { shortened } from '../../../simulator/base/strings.js'
import { type Clock, systemClock } from '../../../simulator/ledger/state/clock.js'
import { startSimulator } from '../../../simulator/simulator.js'
import { exercise, exerciseByKey, ledgerEnvironment, refusalOf } from '../../support/ledgers/ledger-environment.js'
import {
  createdContract,
  objectIn,
  ping,
  type SimulatorEnvironment,
  simulatorEnvironment,
  submitPath,
} from '../../support/ledgers/simulator-environment.js'
import { connect, type Wire, type WireAnswer } from '../../support/servers/wire.js'

/** A transit that ends for all submissions once `expected` of them are in flight, or after `open`. */
function gate(expected = Number.POSITIVE_INFINITY) {
  let inFlight = 0
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const transit = (): Promise<void> => {
    inFlight += 1
    if (inFlight >= expected) open()
    return opened
  }
  return { transit, open: () => open() }
}

const abort = (environment: SimulatorEnvironment, contractId: string): JsonObject => ({
  commands: [
    {
      ExerciseCommand: {
        templateId: ping,
        contractId,
        choice: 'AbortPing',
        choiceArgument: { anyone: environment.alice },
      },
    },
  ],
})

const isOk = ({ status }: WireAnswer): boolean => status === 200

async function atOnce(
  t: Test,
  environment: SimulatorEnvironment,
  bodies: readonly JsonObject[],
): Promise<WireAnswer[]> {
  const wire = connect(environment.url, bodies.length)
  t.teardown(() => wire.close())
  return Promise.all(bodies.map((body) => wire.post(submitPath, body)))
}

t.test('of ten simultaneous equal commands, one commits and nine are rejected as in flight', async (t) => {
  const { transit, open } = gate()
  const environment = await simulatorEnvironment(t, { clock: { ...systemClock(), transit } })
  const before = await environment.ledgerEnd()
  const body = environment.submission({ commandId: 'same', submissionId: 'first' })
  const wire = connect(environment.url, 10)
  t.teardown(() => wire.close())
  const answers: WireAnswer[] = []
  const all = Array.from({ length: 10 }, async () => {
    answers.push(await wire.post(submitPath, body))
    // The first one commits only after nine rejections.
    if (answers.length === 9) open()
  })
  await Promise.all(all)
  const [winner, ...more] = answers.filter(isOk)
  t.ok(winner)
  t.equal(more.length, 0)
  for (const answer of answers.filter((item) => !isOk(item))) {
    const { traceId } = objectIn(answer)
    t.equal(answer.status, 409)
    t.strictSame(answer.json(), {
      code: 'SUBMISSION_ALREADY_IN_FLIGHT',
      cause: 'The submission is already in-flight',
      correlationId: null,
      traceId: traceId ?? null,
      context: {
        physicalSynchronizerId: `${shortened(environment.synchronizer)}::35-0`,
        changeId: `ChangeId(user,same,Set(${environment.alice}))`,
        existingSubmissionId: 'Some(first)',
        existingSubmissionSynchronizerId: shortened(environment.synchronizer),
        participant: 'sandbox',
        tid: traceId ?? null,
        definite_answer: 'false',
        category: '2',
      },
      resources: [],
      errorCategory: 2,
      grpcCodeValue: 10,
      retryInfo: '1 second',
      definiteAnswer: null,
    })
    t.strictSame(responseCheck('submit-and-wait', 409)(answer.json()), [])
  }
  t.equal(Number(await environment.ledgerEnd()), Number(before) + 3, 'one transaction')
  t.match(objectIn(await environment.wire.post(submitPath, body)), { code: 'DUPLICATE_COMMAND' }, 'after the commit')
})

t.test('of twenty simultaneous exercises of one contract, nineteen are rejected as locked', async (t) => {
  const { transit, open } = gate(21) // one of them creates a contract
  const environment = await simulatorEnvironment(t, {
    clock: { ...systemClock(), transit: () => (created ? transit() : Promise.resolve()) },
  })
  let created = false
  const { contractId } = await createdContract(environment)
  created = true
  t.teardown(open)
  const exercises = Array.from({ length: 20 }, () => environment.submission(abort(environment, contractId)))
  const late = environment.submission(abort(environment, contractId))
  const other = environment.submission()
  const [answers] = await Promise.all([atOnce(t, environment, exercises), environment.wire.post(submitPath, other)])
  t.equal(answers.filter(isOk).length, 1)
  for (const answer of answers.filter((item) => !isOk(item))) {
    const { traceId } = objectIn(answer)
    t.equal(answer.status, 409)
    t.match(answer.json(), {
      code: 'LOCAL_VERDICT_LOCKED_CONTRACTS',
      cause: /locked contracts/,
      correlationId: null,
      context: {
        CONTRACT_ID: `List(${contractId})`,
        reported_by_participant_id: `PAR::${environment.participant}`,
        confirming_parties: RegExp(environment.alice),
        psid: `${shortened(environment.synchronizer)}::35-0`,
        participant: 'sandbox',
        tid: traceId ?? null,
        definite_answer: 'false',
        category: '2',
      },
      resources: [['ErrorResource(CONTRACT_ID)', contractId]],
      errorCategory: 2,
      grpcCodeValue: 10,
      retryInfo: '1 second',
      definiteAnswer: null,
    })
    t.strictSame(responseCheck('submit-and-wait', 409)(answer.json()), [])
  }
  t.match(
    objectIn(await environment.wire.post(submitPath, late)),
    { code: 'CONTRACT_NOT_FOUND' },
    'after the commit the contract is archived',
  )
})

t.test('simultaneous requests meet in flight with the default clock', async (t) => {
  const environment = await simulatorEnvironment(t)
  const { contractId } = await createdContract(environment)
  const exercises = Array.from({ length: 20 }, () => environment.submission(abort(environment, contractId)))
  const answers = await atOnce(t, environment, exercises)
  const locked = answers.filter(({ text }) => text.includes('LOCAL_VERDICT_LOCKED_CONTRACTS'))
  t.equal(answers.filter(isOk).length, 1)
  t.ok(locked.length > 0, `${locked.length} requests were rejected as locked`)
})

t.test('two thousand exercises of twenty contracts: twenty succeed', async (t) => {
  const environment = await simulatorEnvironment(t)
  const wire = connect(environment.url, 100)
  t.teardown(() => wire.close())
  const contracts = await Promise.all(
    Array.from({ length: 20 }, async () => (await createdContract(environment)).contractId),
  )
  const before = Number(await environment.ledgerEnd())
  const counts = new Map<string, number>()
  const successes = new Map<string, number>()
  const send = async (index: number): Promise<void> => {
    // A hundred connections compete for ten contracts at a time.
    const contractId = contracts[10 * Math.floor(index / 1000) + (index % 10)] ?? ''
    const answer = await wire.post(submitPath, environment.submission(abort(environment, contractId)))
    const kind = isOk(answer) ? '200' : `${answer.status} ${String(objectIn(answer)['code'])}`
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
    if (isOk(answer)) successes.set(contractId, (successes.get(contractId) ?? 0) + 1)
  }
  await Promise.all(Array.from({ length: 2_000 }, (_, index) => send(index)))
  t.comment([...counts].map(([kind, count]) => `${kind}: ${count}`).join(', '))
  t.strictSame(successes, new Map(contracts.map((id) => [id, 1])), 'each contract is consumed once')
  const { '200': won = 0, ...lost } = Object.fromEntries(counts)
  t.equal(won, 20)
  t.strictSame(
    Object.keys(lost).filter((kind) => !documentedLosses.includes(kind)),
    [],
  )
  const wildcard = { identifierFilter: { WildcardFilter: { value: { includeCreatedEventBlob: false } } } }
  const eventFormat = { filtersByParty: { [environment.alice]: { cumulative: [wildcard] } } }
  const includeTransactions = { eventFormat, transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA' }
  const updates = { beginExclusive: before, updateFormat: { includeTransactions } }
  t.match((await wire.post('/v2/updates', updates)).json(), { length: 20 }, 'twenty transactions')
  const active = { activeAtOffset: Number(await environment.ledgerEnd()), eventFormat }
  t.strictSame((await wire.post('/v2/state/active-contracts', active)).json(), [])
})

const documentedLosses = ['409 LOCAL_VERDICT_LOCKED_CONTRACTS', '404 CONTRACT_NOT_FOUND']

t.test('a single client does not wait for others', async (t) => {
  const alone: boolean[] = []
  const transit: Clock['transit'] = async (others) => {
    alone.push(others.hasSingleClient)
  }
  const { url, close } = await startSimulator({ clock: { ...systemClock(), transit } })
  const [one, other] = [connect(url, 1), connect(url, 1)]
  t.teardown(async () => {
    await Promise.all([one.close(), other.close()])
    await close()
  })
  const party = objectIn(await one.post('/v2/parties', { partyIdHint: 'alice' }))['partyDetails']
  const alice = String(isJsonObject(party) && party['party'])
  const createArguments = { id: 'ping', initiator: alice, responder: alice }
  const commands = [{ CreateCommand: { templateId: ping, createArguments } }]
  const submit = async (wire: Wire, commandId: string): Promise<void> => {
    const answer = await wire.post(submitPath, { commands, commandId, actAs: [alice], userId: 'user' })
    t.equal(answer.status, 200)
  }
  await submit(one, 'first')
  await submit(one, 'second')
  await submit(other, 'third')
  await submit(one, 'fourth')
  t.strictSame(alone, [true, true, false, false])
})

const keyed = (environment: ReturnType<typeof ledgerEnvironment>) => ({
  owner: environment.alice,
  observers: [],
  id: 'k',
  text: '',
})

t.test('a contract that is consumed in flight is locked, one that is read is not', async (t) => {
  const environment = ledgerEnvironment()
  const { alice, submit, acquire } = environment
  const id = environment.create(alice, 'Keyed', keyed(environment))
  const read = exercise(id, ['Keyed', 'Read'])
  const readByKey = exerciseByKey('Keyed', { owner: alice, id: 'k' }, 'Read')
  const archive = exercise(id, ['Keyed', 'Archive'])
  const verdict = (run: () => unknown) => refusalOf(run)?.message.split(':')[0] ?? 'accepted'

  const reading = acquire(alice, read)
  t.equal(
    verdict(() => submit(alice, readByKey)),
    'accepted',
    'a read locks nothing',
  )
  const archiving = acquire(alice, archive)
  const losers = [acquire(alice, read), acquire(alice, readByKey), acquire(alice, archive)]
  t.equal(verdict(reading), 'accepted')
  t.equal(verdict(archiving), 'accepted', 'the lock does not affect its own submission')
  for (const loser of losers) t.equal(verdict(loser), 'LOCAL_VERDICT_LOCKED_CONTRACTS')
  t.equal(
    verdict(() => submit(alice, read)),
    'CONTRACT_NOT_FOUND',
  )
})

t.test('a losing submission locks nothing, and frees its change id when it completes', async (t) => {
  const environment = ledgerEnvironment()
  const { alice, acquire, attempt, ledger } = environment
  const [one, two] = [
    environment.create(alice, 'Keyed', keyed(environment)),
    environment.create(alice, 'Keyed', keyed(environment)),
  ]
  const archive = (id: string) => exercise(id, ['Keyed', 'Archive'])
  let end = ledger.end
  const winner = acquire(alice, archive(one))
  const loser = acquire(alice, [archive(one), archive(two)], { commandId: 'again' })
  t.equal(attempt(alice, archive(two), { commandId: 'again' }), 'SUBMISSION_ALREADY_IN_FLIGHT')
  t.equal(ledger.end, end, 'a submission in flight writes nothing')
  t.equal(attempt(alice, exercise(two, ['Keyed', 'Read'])), 'accepted', 'the loser does not lock its other contract')
  end = ledger.end
  t.match(refusalOf(loser), {
    details: { code: 'LOCAL_VERDICT_LOCKED_CONTRACTS', context: { CONTRACT_ID: `List(${one})` } },
  })
  t.equal(ledger.end, end + 1, 'only its completion is written')
  t.equal(attempt(alice, archive(two), { commandId: 'again' }), 'accepted')
  winner()
  t.equal(attempt(alice, archive(one), { commandId: 'again' }), 'CONTRACT_NOT_FOUND')
})

t.test('submissions that follow each other closely commit together, in their order', async (t) => {
  const { transit } = systemClock()
  const committed: number[] = []
  const send = async (index: number): Promise<void> => {
    await transit({ hasSingleClient: false })
    committed.push(index)
  }
  const sent = [send(0), send(1)]
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
  for (let index = 2; index < 50; index += 1) {
    await turn()
    sent.push(send(index))
  }
  t.strictSame(committed, [], 'none commits while others arrive')
  await Promise.all(sent)
  t.strictSame(
    committed,
    [...committed].sort((a, b) => a - b),
  )
  await send(50)
  t.equal(committed.at(-1), 50, 'a later submission commits too')
})

t.test('the submission of a single client commits within four turns of the event loop', async (t) => {
  let committed = false
  const sent = systemClock()
    .transit({ hasSingleClient: true })
    .then(() => {
      committed = true
    })
  let turns = 0
  for (; !committed; turns += 1) await new Promise((resolve) => setImmediate(resolve))
  await sent
  t.ok(turns <= 4, `${turns} turns`)
})
