import type { Data } from '../../record/types/resolved-row.js'
import type { Prepared } from './combined-members.js'
import {
  createPing,
  type DraftContext,
  type DraftStep,
  eventFormatFor,
  keysOf,
  signWith,
  stepOf,
  unique,
  variable,
} from './draft-step.js'
import { readEnd } from './lookups.js'
import { commandsOf } from './submissions.js'

const alterations: readonly Record<string, Data>[] = [
  { set: { 'metadata.submitter_info.command_id': unique('changed') } },
  { set: { 'metadata.submitter_info.act_as': variable('bob') } },
  { append: { 'metadata.submitter_info.act_as': variable('pia') } },
  { 'remove-all': { 'metadata.submitter_info.act_as': true } },
  { set: { 'metadata.transaction_uuid': { $uuid: unique('another') } } },
  { set: { 'metadata.synchronizer_id': 'x::1220' } },
  { set: { 'metadata.mediator_group': 3 } },
  { add: { 'metadata.preparation_time': -90000000000 } },
  { set: { 'metadata.max_record_time': 1 } },
  { 'unknown-field': { metadata: 'x' } },
  { set: { 'transaction.version': 'x' } },
  { set: { 'transaction.roots': '7' } },
  { repeat: { 'transaction.roots': true } },
  { repeat: { 'transaction.nodes': true } },
  { set: { 'transaction.nodes.0.node_id': '9' } },
  { set: { 'transaction.nodes.0.v1.create.argument.record.fields.0.value.party': variable('bob') } },
  { set: { 'transaction.nodes.0.v1.create.signatories': variable('bob') } },
  { set: { 'transaction.nodes.0.v1.create.stakeholders': variable('bob') } },
  { append: { 'transaction.nodes.0.v1.create.stakeholders': variable('bob') } },
  { set: { 'transaction.nodes.0.v1.create.package_name': 'other' } },
  { set: { 'transaction.nodes.0.v1.create.template_id.entity_name': 'Other' } },
  { set: { 'transaction.nodes.0.v1.create.lf_version': '2.3' } },
  { set: { 'transaction.nodes.0.v1.exercise.choice_id': 'Archive' } },
  { set: { 'transaction.nodes.0.v1.exercise.acting_parties': variable('bob') } },
  { set: { 'transaction.nodes.0.v1.exercise.consuming': 0 } },
  { 'set-bytes': { 'transaction.node_seeds.0.seed': 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=' } },
  { 'remove-all': { 'transaction.node_seeds': true } },
  { add: { 'metadata.preparation_time': 1 } },
  { 'set-bytes': { 'metadata.input_contracts.0.event_blob': 'AAAA' } },
  { add: { 'metadata.input_contracts.0.created_at': 1 } },
  { 'remove-all': { 'metadata.input_contracts': true } },
  { set: { 'metadata.min_ledger_effective_time': 1 } },
  { set: { 'metadata.max_ledger_effective_time': 1 } },
  { remove: { metadata: true } },
  { remove: { transaction: true } },
  { 'remove-all': { 'transaction.nodes': true } },
  { reverse: true },
]

export function prepareAndExecute(context: DraftContext): DraftStep {
  const { random, external, number, enqueue } = context
  const party = random.pick(external)
  const among = random.chance(0.8) ? [party] : [...external, party]
  const { commands, about } = commandsOf(context, among)
  const scheme = random.chance(0.85) ? 'V2' : 'V3'
  const prepared: Prepared = { prepared: `p${number()}`, party, scheme }
  return {
    step: prepare(about, commands, prepared, unique(`exe-${number()}`)),
    onAnswer: (answer) => {
      if (answer === undefined) return undefined
      enqueue(execute(context, prepared))
      return capturesOf(prepared)
    },
  }
}

export function prepareContract(
  { number, enqueue }: DraftContext,
  party: string,
  onPrepared: (made: Prepared) => void,
): DraftStep {
  const prepared: Prepared = { prepared: `p${number()}`, party, scheme: 'V2' }
  const command = createPing(prepared.prepared, party, party)
  return {
    step: prepare('create Ping', [command], prepared, unique(`exe-${prepared.prepared}`)),
    onAnswer: (answer) => {
      if (answer === undefined) return undefined
      enqueue({ step: readEnd(`${prepared.prepared}.begin`), onAnswer: () => void onPrepared(prepared) })
      return capturesOf(prepared)
    },
  }
}

const prepare = (about: string, commands: Data[], { party, scheme }: Prepared, commandId: string) =>
  stepOf({
    about: `prepare: ${about}`,
    operation: 'prepare',
    actor: 'signer',
    body: {
      ...{ commands, commandId, actAs: [variable(party)], readAs: [], userId: variable('user') },
      ...{ synchronizerId: variable('synchronizerId'), packageIdSelectionPreference: [], disclosedContracts: [] },
      ...{ verboseHashing: false, hashingSchemeVersion: `HASHING_SCHEME_VERSION_${scheme}` },
    },
  })

const capturesOf = ({ prepared }: Prepared): Record<string, string> => ({
  [prepared]: '/preparedTransaction',
  [`${prepared}.hash`]: '/preparedTransactionHash',
})

/** Sometimes twice. `execute` returns no result, so it reads the completion. */
function execute(context: DraftContext, prepared: Prepared, isRepeat = false): DraftStep {
  const { random, number, enqueue, ledger } = context
  const isWaiting = random.chance(0.65)
  const mark = `b${number()}`
  const operation = isWaiting ? 'execute-and-wait-for-transaction' : 'execute'
  const body = executionOf(context, prepared, isWaiting)
  const step = stepOf({ about: `${isRepeat ? 'repeat: ' : ''}execute`, operation, actor: 'signer', body })
  const executed: DraftStep = {
    step,
    onAnswer: (answer) => {
      // Before the repetition: a late completion would follow its mark.
      if (!isWaiting && answer !== undefined) enqueue(completionsAfter(mark, prepared.party))
      if (!isRepeat && random.chance(0.25)) enqueue(execute(context, prepared, true))
      return isWaiting && answer !== undefined ? ledger.observe(answer, '/transaction/events') : undefined
    },
  }
  return isWaiting ? executed : { step: readEnd(mark), onAnswer: () => void enqueue(executed) }
}

/** The list ends with the first completion, without a timeout. */
export const completionsAfter = (mark: string, party: string): DraftStep => ({
  step: stepOf({
    about: 'read the completion',
    operation: 'completions',
    actor: 'signer',
    query: { stream_idle_timeout_ms: '2000', limit: '1' },
    body: { userId: variable('user'), parties: [variable(party)], beginExclusive: variable(mark) },
  }),
})

function executionOf(
  context: DraftContext,
  { prepared, party, scheme }: Prepared,
  isWaiting: boolean,
): Record<string, Data> {
  const { random, number } = context
  const alteration = random.chance(0.28) ? random.pick(alterations) : undefined
  const bytes: Data = alteration ? { $alter: variable(prepared), changes: alteration } : variable(prepared)
  const isSignedAgain = alteration !== undefined && random.chance(0.45)
  const hash: Data = isSignedAgain ? { '$prepared-hash': bytes, scheme } : variable(`${prepared}.hash`)
  const version = random.weighted<string>(
    [24, scheme],
    [1, scheme === 'V2' ? 'V3' : 'V2'],
    [0.7, 'UNSPECIFIED'],
    [0.2, 'V9'],
  )
  const format = isWaiting && random.chance(0.55) ? formatOf(context, party) : undefined
  const period = random.weighted<Data | undefined>(
    [8, { DeduplicationDuration: { value: { seconds: 300, nanos: 0 } } }],
    [3, { Empty: {} }],
    [1, { DeduplicationOffset: { value: variable('begin') } }],
    [0.5, undefined],
    [0.3, { DeduplicationDuration: { value: { seconds: -1, nanos: 0 } } }],
  )
  return {
    preparedTransaction: random.chance(0.02) ? 'AAAA' : bytes,
    partySignatures: { signatures: signaturesOf(context, party, hash) },
    ...(period !== undefined && { deduplicationPeriod: period }),
    submissionId: random.weighted<Data>([20, unique(`exe-${number()}`)], [0.4, ''], [0.4, 'bad!']),
    userId: variable('user'),
    hashingSchemeVersion: `HASHING_SCHEME_VERSION_${version}`,
    ...(random.chance(0.1) && {
      minLedgerTime: random.pick<Data>([
        { time: { Empty: {} } },
        {},
        { time: { MinLedgerTimeAbs: { value: '2020-01-01T00:00:00Z' } } },
        { time: { MinLedgerTimeRel: { value: { seconds: 0, nanos: 0 } } } },
      ]),
    }),
    ...(format !== undefined && { transactionFormat: format }),
  }
}

function signaturesOf({ random, external, parties }: DraftContext, party: string, hash: Data): Data {
  const own = keysOf[party] ?? []
  const entry = (name: string, signatures: Data[]): Data => ({ party: variable(name), signatures })
  const signed = (name: string, keys: readonly string[]): Data =>
    entry(
      name,
      keys.map((key) => signWith(key, hash)),
    )
  const other = random.pick([...external.filter((one) => one !== party), ...parties])
  const damaged = (how: string): Data => signWith(own[0] ?? '', { $damage: hash, how })
  return random.weighted<() => Data[]>(
    [24, () => [signed(party, own)]],
    [1, () => [signed(party, own.slice(0, 2))]],
    [1, () => [signed(party, own.slice(0, 1))]],
    [1, () => [entry(party, [damaged(random.pick(['flip-first', 'flip-last', 'cut', 'zero', 'multihash']))])]],
    [0.7, () => []],
    [0.7, () => [entry(party, [])]],
    [0.7, () => [signed(party, [unknownKey])]],
    [0.7, () => [signed(other, own)]],
    [0.7, () => [signed(party, own), signed(party, own)]],
    [0.7, () => [signed(party, own), signed(other, keysOf[other] ?? [unknownKey])]],
    [0.5, () => [signed(party, [...own, ...own])]],
  )()
}

const unknownKey = 'stranger'

function formatOf(context: DraftContext, party: string): Data {
  const { random, parties, external } = context
  const readers = random.weighted<readonly string[]>(
    [4, [party]],
    [2, random.some([...parties, ...external], 0.4)],
    [1, []],
  )
  const shape = random.weighted([4, 'LEDGER_EFFECTS'], [3, 'ACS_DELTA'], [0.5, 'UNSPECIFIED'])
  return random.weighted<Data>(
    [5, { eventFormat: eventFormatFor(readers), transactionShape: `TRANSACTION_SHAPE_${shape}` }],
    [7, { eventFormat: filtered(context, readers), transactionShape: `TRANSACTION_SHAPE_${shape}` }],
    [0.5, { transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA' }],
    [0.3, null],
  )
}

const interfaces: readonly string[] = [
  '#conformance-model:Conformance:Holding',
  '#conformance-views:ConformanceViews:Viewed',
  '#conformance-iface:ConformanceIface:Priced',
]

function filtered({ random, templates }: DraftContext, readers: readonly string[]): Data {
  const includeCreatedEventBlob = random.chance(0.4)
  const interfaceFilter = (interfaceId: string): Data => ({
    InterfaceFilter: { value: { interfaceId, includeInterfaceView: true, includeCreatedEventBlob } },
  })
  const filter = (): Data =>
    random.weighted<Data>(
      [4, { TemplateFilter: { value: { templateId: random.pick(templates).id, includeCreatedEventBlob } } }],
      [5, interfaceFilter(random.pick(interfaces))],
      [1, { WildcardFilter: { value: { includeCreatedEventBlob } } }],
      [0.3, { TemplateFilter: { value: { templateId: '#no-such-package:A:B', includeCreatedEventBlob } } }],
    )
  const filters = (): Data => {
    const chosen = random.chance(0.3)
      ? interfaces.map(interfaceFilter)
      : Array.from({ length: 1 + random.below(6) }, filter)
    return { cumulative: chosen.map((identifierFilter) => ({ identifierFilter })) }
  }
  const isForAnyParty = random.chance(0.25)
  return {
    filtersByParty: isForAnyParty ? {} : Object.fromEntries(readers.map((name) => [variable(name), filters()])),
    ...(isForAnyParty && { filtersForAnyParty: filters() }),
    verbose: random.chance(0.6),
  }
}
