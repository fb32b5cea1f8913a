/** Submissions that meet: exactly one of those that exclude each other wins, and each loser is told why. */
import t, { type Test } from 'tap'
import { responseCheck } from '../../../interface/description.js'
import { isJsonObject, type JsonObject } from '../../../lib/json/json.js'
import { shortened } from '../../../simulator/base/shortened.js'
import { type Clock, systemClock } from '../../../simulator/ledger/state/clock.js'
import { quietTransit } from '../../../simulator/ledger/state/transit.js'
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

/** A transit that ends for everybody once so many have set out; `open` lets go of what has set out and of all that follow. */
function gate(expected = Number.POSITIVE_INFINITY) {
  let departed = 0
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const transit = (): Promise<void> => {
    departed += 1
    if (departed >= expected) open()
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

/** Sends all at once, each over a connection of its own. */
async function atOnce(
  t: Test,
  environment: SimulatorEnvironment,
  bodies: readonly JsonObject[],
): Promise<WireAnswer[]> {
  const wire = connect(environment.url, bodies.length)
  t.teardown(() => wire.close())
  return Promise.all(bodies.map((body) => wire.post(submitPath, body)))
}

t.test('ten equal commands at once: one is carried out, nine are told that it is on its way', async (t) => {
  const { transit, open } = gate()
  const environment = await simulatorEnvironment(t, { clock: { ...systemClock(), transit } })
  const before = await environment.ledgerEnd()
  const body = environment.submission({ commandId: 'same', submissionId: 'first' })
  const wire = connect(environment.url, 10)
  t.teardown(() => wire.close())
  const answers: WireAnswer[] = []
  const all = Array.from({ length: 10 }, async () => {
    answers.push(await wire.post(submitPath, body))
    // Only when nine have been refused may the first one land.
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
  t.match(objectIn(await environment.wire.post(submitPath, body)), { code: 'DUPLICATE_COMMAND' }, 'once it has landed')
})

t.test('twenty exercises of one contract at once: one consumes it, nineteen find it locked', async (t) => {
  const { transit, open } = gate(21) // one creates the contract
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
  t.match(objectIn(await environment.wire.post(submitPath, late)), { code: 'CONTRACT_NOT_FOUND' }, 'later it is gone')
})

t.test('without any help from a test, simultaneous requests meet in flight', async (t) => {
  const environment = await simulatorEnvironment(t)
  const { contractId } = await createdContract(environment)
  const exercises = Array.from({ length: 20 }, () => environment.submission(abort(environment, contractId)))
  const answers = await atOnce(t, environment, exercises)
  const locked = answers.filter(({ text }) => text.includes('LOCAL_VERDICT_LOCKED_CONTRACTS'))
  t.equal(answers.filter(isOk).length, 1)
  t.ok(locked.length > 0, `${locked.length} found it locked`)
})

t.test('ten thousand exercises of a hundred contracts: a hundred succeed', async (t) => {
  const environment = await simulatorEnvironment(t)
  const wire = connect(environment.url, 100)
  t.teardown(() => wire.close())
  const contracts = await Promise.all(
    Array.from({ length: 100 }, async () => (await createdContract(environment)).contractId),
  )
  const before = Number(await environment.ledgerEnd())
  const counts = new Map<string, number>()
  const successes = new Map<string, number>()
  const send = async (index: number): Promise<void> => {
    // Ten contracts at a time, so that a hundred connections meet.
    const contractId = contracts[10 * Math.floor(index / 1000) + (index % 10)] ?? ''
    const answer = await wire.post(submitPath, environment.submission(abort(environment, contractId)))
    const kind = isOk(answer) ? '200' : `${answer.status} ${String(objectIn(answer)['code'])}`
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
    if (isOk(answer)) successes.set(contractId, (successes.get(contractId) ?? 0) + 1)
  }
  const began = performance.now()
  await Promise.all(Array.from({ length: 10_000 }, (_, index) => send(index)))
  t.comment(`${Math.round(performance.now() - began)} ms`)
  t.comment([...counts].map(([kind, count]) => `${kind}: ${count}`).join(', '))
  t.strictSame(successes, new Map(contracts.map((id) => [id, 1])), 'each contract once')
  const { '200': won = 0, ...lost } = Object.fromEntries(counts)
  t.equal(won, 100)
  t.strictSame(
    Object.keys(lost).filter((kind) => !documentedLosses.includes(kind)),
    [],
  )
  const wildcard = { identifierFilter: { WildcardFilter: { value: { includeCreatedEventBlob: false } } } }
  const eventFormat = { filtersByParty: { [environment.alice]: { cumulative: [wildcard] } } }
  const includeTransactions = { eventFormat, transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA' }
  const updates = { beginExclusive: before, updateFormat: { includeTransactions } }
  t.match((await wire.post('/v2/updates', updates)).json(), { length: 100 }, 'a hundred transactions')
  const active = { activeAtOffset: Number(await environment.ledgerEnd()), eventFormat }
  t.strictSame((await wire.post('/v2/state/active-contracts', active)).json(), [])
})

const documentedLosses = ['409 LOCAL_VERDICT_LOCKED_CONTRACTS', '404 CONTRACT_NOT_FOUND']

t.test('whoever has the participant to himself waits for nobody', async (t) => {
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

// ---------------------------------------------------------------- on the ledger itself

const keyed = (environment: ReturnType<typeof ledgerEnvironment>) => ({
  owner: environment.alice,
  observers: [],
  id: 'k',
  text: '',
})

t.test('what is about to be consumed cannot be used, what is only read can', async (t) => {
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
    'reading locks nothing',
  )
  const archiving = acquire(alice, archive)
  const losers = [acquire(alice, read), acquire(alice, readByKey), acquire(alice, archive)]
  t.equal(
    verdict(() => reading.commit()),
    'accepted',
  )
  t.equal(
    verdict(() => archiving.commit()),
    'accepted',
    'it locked the contract for others, not for itself',
  )
  for (const loser of losers)
    t.equal(
      verdict(() => loser.commit()),
      'LOCAL_VERDICT_LOCKED_CONTRACTS',
    )
  t.equal(
    verdict(() => submit(alice, read)),
    'CONTRACT_NOT_FOUND',
  )
})

t.test('a submission that loses locks nothing, and frees its change id when it lands', async (t) => {
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
  t.equal(ledger.end, end, 'nothing is written while in flight')
  t.equal(attempt(alice, exercise(two, ['Keyed', 'Read'])), 'accepted', 'what only the loser wants stays free')
  end = ledger.end
  t.match(
    refusalOf(() => loser.commit()),
    { details: { code: 'LOCAL_VERDICT_LOCKED_CONTRACTS', context: { CONTRACT_ID: `List(${one})` } } },
  )
  t.equal(ledger.end, end + 1, 'its completion is written, and nothing else')
  t.equal(attempt(alice, archive(two), { commandId: 'again' }), 'accepted')
  winner.commit()
  t.equal(attempt(alice, archive(one), { commandId: 'again' }), 'CONTRACT_NOT_FOUND')
})

t.test('those that set out one after the other land together, in their order', async (t) => {
  const transit = quietTransit()
  const landed: number[] = []
  const fly = async (index: number): Promise<void> => {
    await transit({ hasSingleClient: false })
    landed.push(index)
  }
  const flights = [fly(0), fly(1)]
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
  for (let index = 2; index < 50; index += 1) {
    await turn()
    flights.push(fly(index))
  }
  t.strictSame(landed, [], 'nobody lands while others set out')
  await Promise.all(flights)
  t.strictSame(
    landed,
    [...landed].sort((a, b) => a - b),
  )
  await fly(50)
  t.equal(landed.at(-1), 50, 'and then the next')
})

t.test('what nobody else can meet commits within a few turns of the event loop', async (t) => {
  let landed = false
  const flight = quietTransit()({ hasSingleClient: true }).then(() => {
    landed = true
  })
  let turns = 0
  for (; !landed; turns += 1) await new Promise((resolve) => setImmediate(resolve))
  await flight
  t.ok(turns <= 4, `${turns} turns`)
})
