/** Transactions that are prepared, altered or not, signed rightly or wrongly, and executed either way. */

import type { JsonValue } from '../../lib/json/json.js'
import type { Data } from '../../record/types/resolved-row.js'
import type { Prepared } from './combined-members.js'
import { type Drafted, type Drafting, formatFor, turnOf } from './draft-step.js'
import { keysOf } from './signatures.js'
import { commandsOf } from './submissions.js'
import { ping } from './templates.js'
import { unique, variable } from './variable.js'

/** What can be changed in the bytes; the last word is the participant's. */
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

/** Prepares something and hands it in, mostly as it should be. */
export function prepareAndExecute(drafting: Drafting): Drafted {
  const { random, external, number, follow } = drafting
  const party = random.pick(external)
  const among = random.chance(0.8) ? [party] : [...external, party]
  const { commands, about } = commandsOf(drafting, among)
  const scheme = random.chance(0.85) ? 'V2' : 'V3'
  const prepared = `p${number()}`
  const commandId = unique(`exe-${number()}`)
  return {
    turn: turnOf({
      about: `prepare: ${about}`,
      operation: 'prepare',
      actor: 'signer',
      body: {
        ...{ commands, commandId, actAs: [variable(party)], readAs: [], userId: variable('user') },
        ...{ synchronizerId: variable('synchronizerId'), packageIdSelectionPreference: [], disclosedContracts: [] },
        ...{ verboseHashing: false, hashingSchemeVersion: `HASHING_SCHEME_VERSION_${scheme}` },
      },
    }),
    heard: (answer) => {
      if (answer === undefined) return undefined
      follow(execute(drafting, { prepared, party, scheme }))
      return { [prepared]: '/preparedTransaction', [`${prepared}.hash`]: '/preparedTransactionHash' }
    },
  }
}

/** Prepares a contract of the party's own, and reads where the ledger ends before it is handed in. */
export function prepareSimply({ number, follow }: Drafting, party: string, then: (made: Prepared) => void): Drafted {
  const prepared = `p${number()}`
  const end = turnOf({
    about: 'where the ledger ends',
    operation: 'ledger-end',
    capture: { [`${prepared}.begin`]: '/offset' },
  })
  const createArguments = { id: unique(prepared), initiator: variable(party), responder: variable(party) }
  return {
    turn: turnOf({
      about: 'prepare: create Ping',
      operation: 'prepare',
      actor: 'signer',
      body: {
        commands: [{ CreateCommand: { templateId: ping, createArguments } }],
        ...{ commandId: unique(`exe-${prepared}`), actAs: [variable(party)], readAs: [], userId: variable('user') },
        ...{ synchronizerId: variable('synchronizerId'), packageIdSelectionPreference: [], disclosedContracts: [] },
        ...{ verboseHashing: false, hashingSchemeVersion: 'HASHING_SCHEME_VERSION_V2' },
      },
    }),
    heard: (answer) => {
      if (answer === undefined) return undefined
      follow({
        turn: end,
        heard: () => {
          then({ prepared, party, scheme: 'V2' })
          return undefined
        },
      })
      return { [prepared]: '/preparedTransaction', [`${prepared}.hash`]: '/preparedTransactionHash' }
    },
  }
}

/** Hands it in, and again once in a while; whoever does not wait is told by the completion. */
function execute(drafting: Drafting, given: Prepared, isAgain = false): Drafted {
  const { random, number, follow, ledger } = drafting
  const waits = random.chance(0.65)
  const mark = `b${number()}`
  const operation = waits ? 'execute-and-wait-for-transaction' : 'execute'
  const body = executionOf(drafting, given, waits)
  const turn = turnOf({ about: `${isAgain ? 'again: ' : ''}execute`, operation, actor: 'signer', body })
  const perhapsAgain = (): void => {
    if (!isAgain && random.chance(0.25)) follow(execute(drafting, given, true))
  }
  const heardAtOnce = (answer: JsonValue | undefined): Record<string, string> | undefined => {
    perhapsAgain()
    return answer === undefined ? undefined : ledger.hear(answer, '/transaction/events')
  }
  if (waits) return { turn, heard: heardAtOnce }
  const handedIn: Drafted = {
    turn,
    heard: (answer) => {
      perhapsAgain()
      if (answer !== undefined) follow(completionsBehind(mark, given.party))
      return undefined
    },
  }
  return {
    turn: turnOf({ about: 'where the ledger ends', operation: 'ledger-end', capture: { [mark]: '/offset' } }),
    heard: () => {
      follow(handedIn)
      return undefined
    },
  }
}

/** The list ends with the first: nobody waits for more. */
export const completionsBehind = (mark: string, party: string): Drafted => ({
  turn: turnOf({
    about: 'what became of it',
    operation: 'completions',
    actor: 'signer',
    query: { stream_idle_timeout_ms: '2000', limit: '1' },
    body: { userId: variable('user'), parties: [variable(party)], beginExclusive: variable(mark) },
  }),
})

function executionOf(drafting: Drafting, { prepared, party, scheme }: Prepared, waits: boolean): Record<string, Data> {
  const { random, number } = drafting
  const alteration = random.chance(0.28) ? random.pick(alterations) : undefined
  const bytes: Data = alteration ? { $alter: variable(prepared), changes: alteration } : variable(prepared)
  const isSignedAnew = alteration !== undefined && random.chance(0.45)
  const hash: Data = isSignedAnew ? { '$prepared-hash': bytes, scheme } : variable(`${prepared}.hash`)
  const named = random.weighted<string>([
    [24, scheme],
    [1, scheme === 'V2' ? 'V3' : 'V2'],
    [0.7, 'UNSPECIFIED'],
    [0.2, 'V9'],
  ])
  const format = waits && random.chance(0.55) ? formatOf(drafting, party) : undefined
  const period = random.weighted<Data | undefined>([
    [8, { DeduplicationDuration: { value: { seconds: 300, nanos: 0 } } }],
    [3, { Empty: {} }],
    [1, { DeduplicationOffset: { value: variable('begin') } }],
    [0.5, undefined],
    [0.3, { DeduplicationDuration: { value: { seconds: -1, nanos: 0 } } }],
  ])
  return {
    preparedTransaction: random.chance(0.02) ? 'AAAA' : bytes,
    partySignatures: { signatures: signaturesOf(drafting, party, hash) },
    ...(period !== undefined && { deduplicationPeriod: period }),
    submissionId: random.weighted<Data>([
      [20, unique(`exe-${number()}`)],
      [0.4, ''],
      [0.4, 'bad!'],
    ]),
    userId: variable('user'),
    hashingSchemeVersion: `HASHING_SCHEME_VERSION_${named}`,
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

function signaturesOf({ random, external, parties }: Drafting, party: string, hash: Data): Data {
  const own = keysOf[party] ?? []
  const sign = (key: string, what: Data = hash): Data => ({ $sign: what, with: variable(key) })
  const entry = (who: string, signatures: Data[]): Data => ({ party: variable(who), signatures })
  const right = (): Data[] => [
    entry(
      party,
      own.map((key) => sign(key)),
    ),
  ]
  const other = random.pick([...external.filter((one) => one !== party), ...parties])
  const wrong = (how: string): Data => sign(own[0] ?? '', { $damage: hash, how })
  return random.weighted<() => Data[]>([
    [24, right],
    [
      1,
      () => [
        entry(
          party,
          own.slice(0, 2).map((key) => sign(key)),
        ),
      ],
    ],
    [
      1,
      () => [
        entry(
          party,
          own.slice(0, 1).map((key) => sign(key)),
        ),
      ],
    ],
    [1, () => [entry(party, [wrong(random.pick(['flip-first', 'flip-last', 'cut', 'zero', 'multihash']))])]],
    [0.7, () => []],
    [0.7, () => [entry(party, [])]],
    [0.7, () => [entry(party, [sign('stranger')])]],
    [
      0.7,
      () => [
        entry(
          other,
          own.map((key) => sign(key)),
        ),
      ],
    ],
    [0.7, () => [...right(), ...right()]],
    [0.7, () => [...right(), entry(other, keysOf[other]?.map((key) => sign(key)) ?? [sign('stranger')])]],
    [
      0.5,
      () => [
        entry(
          party,
          [...own, ...own].map((key) => sign(key)),
        ),
      ],
    ],
  ])()
}

function formatOf(drafting: Drafting, party: string): Data {
  const { random, parties, external } = drafting
  const readers = random.weighted<readonly string[]>([
    [4, [party]],
    [2, random.some([...parties, ...external], 0.4)],
    [1, []],
  ])
  const shape = random.weighted([
    [4, 'LEDGER_EFFECTS'],
    [3, 'ACS_DELTA'],
    [0.5, 'UNSPECIFIED'],
  ])
  return random.weighted<Data>([
    [5, { eventFormat: formatFor(readers), transactionShape: `TRANSACTION_SHAPE_${shape}` }],
    [7, { eventFormat: filtered(drafting, readers), transactionShape: `TRANSACTION_SHAPE_${shape}` }],
    [0.5, { transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA' }],
    [0.3, null],
  ])
}

const interfaces: readonly string[] = [
  '#conformance-model:Conformance:Holding',
  '#conformance-views:ConformanceViews:Viewed',
  '#conformance-iface:ConformanceIface:Priced',
]

/** Only some templates or interfaces, for some readers or for anybody. */
function filtered({ random, templates }: Drafting, readers: readonly string[]): Data {
  const includeCreatedEventBlob = random.chance(0.4)
  const filter = (): Data =>
    random.weighted<Data>([
      [4, { TemplateFilter: { value: { templateId: random.pick(templates).id, includeCreatedEventBlob } } }],
      [
        5,
        {
          InterfaceFilter: {
            value: { interfaceId: random.pick(interfaces), includeInterfaceView: true, includeCreatedEventBlob },
          },
        },
      ],
      [1, { WildcardFilter: { value: { includeCreatedEventBlob } } }],
      [0.3, { TemplateFilter: { value: { templateId: '#no-such-package:A:B', includeCreatedEventBlob } } }],
    ])
  const everyInterface = (): Data[] =>
    interfaces.map((interfaceId) => ({
      InterfaceFilter: { value: { interfaceId, includeInterfaceView: true, includeCreatedEventBlob } },
    }))
  const filters = (): Data => {
    const chosen = random.chance(0.3) ? everyInterface() : Array.from({ length: 1 + random.below(6) }, filter)
    return { cumulative: chosen.map((identifierFilter) => ({ identifierFilter })) }
  }
  const isForAnybody = random.chance(0.25)
  return {
    filtersByParty: isForAnybody ? {} : Object.fromEntries(readers.map((name) => [variable(name), filters()])),
    ...(isForAnybody && { filtersForAnyParty: filters() }),
    verbose: random.chance(0.6),
  }
}
