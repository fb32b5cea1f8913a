import type { Test } from 'tap'
import { multiTopologyHash } from '../../../interface/crypto-hash.js'
import { operations, supportOperations } from '../../../interface/operations.js'
import { decodePreparedTransaction } from '../../../interface/prepared-transaction/codec.js'
import { hashPreparedTransaction } from '../../../interface/prepared-transaction/hash.js'
import type { HashingScheme } from '../../../interface/prepared-transaction/hash-encoding.js'
import { normalisePreparedTransaction } from '../../../interface/prepared-transaction/normalise.js'
import type { JsonObject, JsonValue } from '../../../lib/json/json.js'
import { bytesField, readMessage, varintField } from '../../../lib/protobuf/protobuf.js'
import { alter } from '../../../runner/sign/alter.js'
import { changeField } from '../../../runner/sign/message-edit.js'
import { type KeyKind, makeSigningKey, type SigningKey } from '../../../runner/sign/signing-key.js'
import type { SimulatorOptions } from '../../../simulator/simulator.js'
import { fieldPath } from '../replay/replay-protobuf.js'
import type { WireAnswer } from '../servers/wire.js'
import { objectIn, ping, type SimulatorEnvironment, simulatorEnvironment, textAt } from './simulator-environment.js'
import { type StillClock, stillClock } from './still-clock.js'

export const executePath = operations.execute.path
export const waitPath = supportOperations['execute-and-wait'].path
export const transactionPath = operations['execute-and-wait-for-transaction'].path

export interface Signer {
  party: string
  keys: readonly SigningKey[]
}

export interface ExternalEnvironment extends SimulatorEnvironment {
  clock: StillClock
  /** The first key determines the party id. */
  onboard(hint: string, keys: readonly SigningKey[], threshold?: number): Promise<Signer>
  prepare(party: string | readonly string[], command: JsonObject, more?: JsonObject): Promise<Buffer>
}

/** The clock advances by 1 µs at each reading. `headers`: an administrator's token. */
export async function externalEnvironment(
  t: Test,
  options: SimulatorOptions = {},
  headers: Record<string, string> = {},
): Promise<ExternalEnvironment> {
  const clock = stillClock()
  const environment = await simulatorEnvironment(t, { clock, ...options }, headers)
  return { ...externally(environment, headers), clock }
}

/** For any participant. */
export function externally<Environment extends Pick<SimulatorEnvironment, 'wire' | 'synchronizer'>>(
  environment: Environment,
  headers: Record<string, string> = {},
): Environment & Pick<ExternalEnvironment, 'onboard' | 'prepare'> {
  const post = async (path: string, body: JsonObject): Promise<JsonObject> => {
    const answer = await environment.wire.post(path, body, headers)
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text}`)
    return objectIn(answer)
  }
  const generate = async (partyHint: string, { publicKey }: SigningKey): Promise<Buffer> => {
    const request = { synchronizer: environment.synchronizer, partyHint, publicKey }
    const { topologyTransactions } = await post('/v2/parties/external/generate-topology', request)
    return Buffer.from([topologyTransactions].flat().map(String).join(), 'base64')
  }
  const onboard: ExternalEnvironment['onboard'] = async (hint, keys, threshold = 1) => {
    const [first = Buffer.alloc(0), ...others] = await Promise.all(keys.map((key) => generate(hint, key)))
    const topology = withKeys(first, others, threshold)
    const message = multiTopologyHash([topology])
    const allocated = await post('/v2/parties/external/allocate', {
      synchronizer: environment.synchronizer,
      onboardingTransactions: [{ transaction: topology.toString('base64') }],
      multiHashSignatures: keys.map((key) => key.sign(message)),
    })
    return { party: textAt(allocated, 'partyId'), keys }
  }
  let commands = 0
  const prepare: ExternalEnvironment['prepare'] = async (party, command, more = {}) => {
    commands += 1
    const prepared = await post('/v2/interactive-submission/prepare', {
      commandId: `prepared-${commands}`,
      commands: [command],
      actAs: [party].flat(),
      synchronizerId: '',
      packageIdSelectionPreference: [],
      userId: 'user',
      ...more,
    })
    return Buffer.from(textAt(prepared, 'preparedTransaction'), 'base64')
  }
  return { ...environment, onboard, prepare }
}

export async function eveEnvironment(t: Test, options: SimulatorOptions = {}, kind: KeyKind = 'ed25519') {
  const environment = await externalEnvironment(t, options)
  return { environment, eve: await environment.onboard('eve', [makeSigningKey(kind)]) }
}

/** Signing keys of a topology transaction. */
const keysPath = fieldPath(1, 3, 9, 6)

export function withKeys(topology: Buffer, others: readonly Buffer[], threshold: number): Buffer {
  const signing = [topology, ...others].map((bytes) =>
    keysPath.reduce((inner, { number }) => bytesAt(inner, number), bytes),
  )
  const keys = signing.flatMap(readMessage).filter(({ number }) => number === 1)
  const content = keys.map(({ number, value }) => bytesField(number, Buffer.isBuffer(value) ? value : ''))
  const value = Buffer.concat([...content, varintField(2, BigInt(threshold))])
  return changeField(topology, keysPath, () => ({ number: 6, wire: 'bytes', value }))
}

export function bytesAt(message: Buffer, number: number): Buffer {
  const found = readMessage(message).find((field) => field.number === number)
  if (found?.wire !== 'bytes') throw new Error(`no field ${number}`)
  return found.value
}

export const hashOf = (prepared: Buffer, scheme: HashingScheme = 'V2'): Buffer =>
  hashPreparedTransaction(normalisePreparedTransaction(decodePreparedTransaction(prepared)), scheme)

export const signatureOf = ({ party, keys }: Signer, prepared: Buffer, scheme: HashingScheme = 'V2'): JsonObject => ({
  party,
  signatures: keys.map((key) => key.sign(hashOf(prepared, scheme))),
})

/** Each signer signs with all its keys. */
export const execution = (prepared: Buffer, signers: readonly (Signer | JsonObject)[], more: JsonObject = {}) => ({
  preparedTransaction: prepared.toString('base64'),
  partySignatures: {
    signatures: signers.map((signer) => (isSigner(signer) ? signatureOf(signer, prepared) : signer)),
  },
  deduplicationPeriod: { Empty: {} },
  submissionId: '',
  userId: 'user',
  hashingSchemeVersion: 'HASHING_SCHEME_VERSION_V2',
  ...more,
})

const isSigner = (signer: Signer | JsonObject): signer is Signer => 'keys' in signer

export const refused = '400 FAILED_TO_EXECUTE_TRANSACTION'

/** The last field is an empty Optional. */
export const createAllTypes = ({ party }: Signer): JsonObject => ({
  CreateCommand: {
    templateId: '#conformance-model:Conformance:AllTypes',
    createArguments: {
      owner: party,
      text: '',
      int: '1',
      decimal: '1.5',
      bool: true,
      date: '2020-01-01',
      unit: {},
      time: '2020-01-01T00:00:00Z',
      optionalText: null,
      nestedOptional: [],
      list: [],
      textMap: { a: '1' },
      genMap: [['1', 'x']],
      record: { a: '1', b: 'x' },
      variant: { tag: 'Empty', value: {} },
      enum: 'Red',
    },
  },
})

/** Without other stakeholders. */
export const createPing = ({ party }: Signer, id = 'x'): JsonObject => ({
  CreateCommand: { templateId: ping, createArguments: { id, initiator: party, responder: party } },
})

/** By field name. */
export function altered(prepared: Buffer, changes: Record<string, JsonValue>): Buffer {
  const bytes = alter(prepared.toString('base64'), changes)
  if (bytes === undefined) throw new Error(`the bytes cannot be altered like this: ${JSON.stringify(changes)}`)
  return Buffer.from(bytes, 'base64')
}

export const execute = (
  { wire }: Pick<ExternalEnvironment, 'wire'>,
  request: ReturnType<typeof execution>,
  path: string = waitPath,
): Promise<WireAnswer> => wire.post(path, request)

/** 200, or status and code. */
export function outcomeOf(answer: WireAnswer): number | string {
  if (answer.status === 200) return 200
  return answer.contentType === 'application/json'
    ? `${answer.status} ${String(objectIn(answer)['code'])}`
    : `${answer.status} text`
}
