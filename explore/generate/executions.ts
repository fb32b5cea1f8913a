import { type Arbitrary, array, boolean, constant, constantFrom, oneof, record, subarray } from 'fast-check'
import type { Data } from '../../record/types/resolved-row.js'
import { commandsOf } from './commands.js'
import { type DraftContext, type DraftStep, eventFormatFor, stepOf, unique, variable } from './draft-step.js'
import { chance, someMembers, weighted } from './draw.js'
import { readEnd } from './lookups.js'

/** A transaction that an external party signs. */
interface Prepared {
  /** The variable of its bytes. `NAME.hash` is the variable of its hash. */
  prepared: string
  party: string
  scheme: 'V2' | 'V3'
}

export function prepareAndExecute(context: DraftContext): DraftStep {
  const { draw, external, number, enqueue } = context
  const party = draw(constantFrom(...external))
  const among = draw(weighted<readonly string[]>([8, [party]], [2, [...external, party]]))
  const { commands, about } = commandsOf(context, among)
  const scheme = draw(weighted<Prepared['scheme']>([85, 'V2'], [15, 'V3']))
  const prepared: Prepared = { prepared: `p${number()}`, party, scheme }
  return {
    step: prepare(about, commands, prepared, unique(`exe-${number()}`)),
    onAnswer: (answer) => {
      if (answer === undefined) return undefined
      enqueue(execute(context, prepared))
      return { [prepared.prepared]: '/preparedTransaction', [`${prepared.prepared}.hash`]: '/preparedTransactionHash' }
    },
  }
}

const prepare = (about: string, commands: Data[], { party, scheme }: Prepared, commandId: string) =>
  stepOf({
    about: `prepare: ${about}`,
    operation: 'prepare',
    actor: 'signer',
    body: {
      commands,
      commandId,
      actAs: [variable(party)],
      readAs: [],
      userId: variable('user'),
      synchronizerId: variable('synchronizerId'),
      packageIdSelectionPreference: [],
      disclosedContracts: [],
      verboseHashing: false,
      hashingSchemeVersion: `HASHING_SCHEME_VERSION_${scheme}`,
    },
  })

/** Percent of executions after which the same transaction is executed again. */
const repeated = { accepted: 25, rejected: 60 }

/** `execute` returns no result, so it reads the completion. */
function execute(context: DraftContext, prepared: Prepared, isRepeat = false): DraftStep {
  const { draw, number, enqueue, ledger } = context
  const isWaiting = draw(chance(65))
  const mark = `b${number()}`
  const operation = isWaiting ? 'execute-and-wait-for-transaction' : 'execute'
  const body = draw(executionOf(context, prepared, isWaiting))
  const step = stepOf({ about: `${isRepeat ? 'repeat: ' : ''}execute`, operation, actor: 'signer', body })
  const executed: DraftStep = {
    step,
    onAnswer: (answer) => {
      const isAccepted = answer !== undefined
      // Before the repetition: a late completion would follow its mark.
      if (!isWaiting && isAccepted) enqueue(completionAfter(mark, prepared.party))
      if (draw(chance(repeated[isAccepted ? 'accepted' : 'rejected']))) enqueue(execute(context, prepared, true))
      return isWaiting && isAccepted ? ledger.observe(answer, '/transaction/events') : undefined
    },
  }
  return isWaiting ? executed : { step: readEnd(mark), onAnswer: () => void enqueue(executed) }
}

/** The list ends with the first completion, without a timeout. */
const completionAfter = (mark: string, party: string): DraftStep => ({
  step: stepOf({
    about: 'read the completion',
    operation: 'completions',
    actor: 'signer',
    query: { stream_idle_timeout_ms: '2000', limit: '1' },
    body: { userId: variable('user'), parties: [variable(party)], beginExclusive: variable(mark) },
  }),
})

function executionOf(context: DraftContext, given: Prepared, isWaiting: boolean): Arbitrary<Record<string, Data>> {
  const { number } = context
  const { prepared, party, scheme } = given
  const bytes = context.draw(bytesOf(prepared, context.alterations))
  const isSignedAgain = typeof bytes !== 'string' && context.draw(chance(45))
  const hash: Data = isSignedAgain ? { '$prepared-hash': bytes, scheme } : variable(`${prepared}.hash`)
  const version = weighted([24, scheme], [1, scheme === 'V2' ? 'V3' : 'V2'], [0.7, 'UNSPECIFIED'], [0.2, 'V9'])
  return someMembers<Data>({
    preparedTransaction: { percent: 100, value: constant(bytes) },
    partySignatures: { percent: 100, value: signaturesOf(context, party, hash).map((signatures) => ({ signatures })) },
    deduplicationPeriod: { percent: 96, value: periods },
    submissionId: { percent: 100, value: weighted([20, unique(`exe-${number()}`)], [0.4, ''], [0.4, 'bad!']) },
    userId: { percent: 100, value: constant(variable('user')) },
    hashingSchemeVersion: { percent: 100, value: version.map((name) => `HASHING_SCHEME_VERSION_${name}`) },
    minLedgerTime: { percent: 10, value: ledgerTimes },
    transactionFormat: { percent: isWaiting ? 70 : 0, value: formatOf(context, party) },
  })
}

const bytesOf = (prepared: string, alterations: readonly Data[]): Arbitrary<Data> =>
  oneof(
    { weight: 70, arbitrary: constant(variable(prepared)) },
    {
      weight: 28,
      arbitrary: constantFrom<Data[]>({}, ...alterations).map(
        (changes): Data => ({ $alter: variable(prepared), changes }),
      ),
    },
    { weight: 2, arbitrary: constant('AAAA') },
  )

const periods: Arbitrary<Data> = weighted<Data>(
  [8, { DeduplicationDuration: { value: { seconds: 300, nanos: 0 } } }],
  [3, { Empty: {} }],
  [1, { DeduplicationOffset: { value: variable('begin') } }],
  [0.3, { DeduplicationDuration: { value: { seconds: -1, nanos: 0 } } }],
)

const ledgerTimes: Arbitrary<Data> = constantFrom<Data[]>(
  { time: { Empty: {} } },
  {},
  { time: { MinLedgerTimeAbs: { value: '2020-01-01T00:00:00Z' } } },
  { time: { MinLedgerTimeRel: { value: { seconds: 0, nanos: 0 } } } },
)

const keysOf: Readonly<Record<string, readonly string[]>> = {
  eve: ['eve.key-1'],
  pia: ['pia.key-1'],
  trio: ['trio.key-1', 'trio.key-2', 'trio.key-3'],
}

const unknownKey = 'stranger'

const signWith = (key: string, signed: Data): Data => ({ $sign: signed, with: variable(key) })

function signaturesOf({ draw, external, parties }: DraftContext, party: string, hash: Data): Arbitrary<Data> {
  const own = keysOf[party] ?? []
  const other = draw(constantFrom(...external.filter((one) => one !== party), ...parties))
  const how = draw(constantFrom('flip-first', 'flip-last', 'cut', 'zero', 'multihash'))
  const entry = (name: string, signatures: Data[]): Data => ({ party: variable(name), signatures })
  const signed = (name: string, keys: readonly string[]): Data =>
    entry(
      name,
      keys.map((key) => signWith(key, hash)),
    )
  return weighted<Data>(
    [24, [signed(party, own)]],
    [1, [signed(party, own.slice(0, 2))]],
    [1, [signed(party, own.slice(0, 1))]],
    [1, [entry(party, [signWith(own[0] ?? '', { $damage: hash, how })])]],
    [0.7, []],
    [0.7, [entry(party, [])]],
    [0.7, [signed(party, [unknownKey])]],
    [0.7, [signed(other, own)]],
    [0.7, [signed(party, own), signed(party, own)]],
    [0.7, [signed(party, own), signed(other, keysOf[other] ?? [unknownKey])]],
    [0.5, [signed(party, [...own, ...own])]],
  )
}

function formatOf(context: DraftContext, party: string): Arbitrary<Data> {
  const { parties, external } = context
  const readers = oneof(
    { weight: 4, arbitrary: constant([party]) },
    { weight: 3, arbitrary: subarray([...parties, ...external]) },
  )
  const shape = weighted([4, 'LEDGER_EFFECTS'], [3, 'ACS_DELTA'], [0.5, 'UNSPECIFIED'])
  const format = readers.chain((names) =>
    record({
      eventFormat: oneof(
        { weight: 5, arbitrary: constant(eventFormatFor(names)) },
        { weight: 7, arbitrary: filtered(context, names) },
      ),
      transactionShape: shape.map((name) => `TRANSACTION_SHAPE_${name}`),
    }),
  )
  return oneof(
    { weight: 15, arbitrary: format },
    { weight: 1, arbitrary: constantFrom<Data[]>({ transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA' }, null) },
  )
}

const interfaces: readonly string[] = [
  '#conformance-model:Conformance:Holding',
  '#conformance-views:ConformanceViews:Viewed',
  '#conformance-iface:ConformanceIface:Priced',
]

function filtered({ draw, templates }: DraftContext, readers: readonly string[]): Arbitrary<Data> {
  const includeCreatedEventBlob = draw(chance(40))
  const interfaceFilter = (interfaceId: string): Data => ({
    InterfaceFilter: { value: { interfaceId, includeInterfaceView: true, includeCreatedEventBlob } },
  })
  const templateFilter = (templateId: string): Data => ({
    TemplateFilter: { value: { templateId, includeCreatedEventBlob } },
  })
  const filter = oneof(
    { weight: 40, arbitrary: constantFrom(...templates).map(({ id }) => templateFilter(id)) },
    { weight: 50, arbitrary: constantFrom(...interfaces).map(interfaceFilter) },
    { weight: 10, arbitrary: constant<Data>({ WildcardFilter: { value: { includeCreatedEventBlob } } }) },
    { weight: 3, arbitrary: constant(templateFilter('#no-such-package:A:B')) },
  )
  const filters = oneof(
    { weight: 3, arbitrary: constant(interfaces.map(interfaceFilter)) },
    { weight: 7, arbitrary: array(filter, { minLength: 1, maxLength: 6 }) },
  ).map((chosen): Data => ({ cumulative: chosen.map((identifierFilter) => ({ identifierFilter })) }))
  const byParty = record({
    filtersByParty: record(Object.fromEntries(readers.map((name) => [variable(name), filters]))),
    verbose: boolean(),
  })
  const forAnyParty = record({
    filtersByParty: constant({}),
    filtersForAnyParty: filters,
    verbose: boolean(),
  })
  return oneof({ weight: 3, arbitrary: byParty }, { weight: 1, arbitrary: forAnyParty })
}
