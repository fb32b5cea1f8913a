/** A simulator in this process with every described package, some contracts, and an external party with its key. */
import { createPrivateKey, createPublicKey, sign } from 'node:crypto'
import type { Test } from 'tap'
import { keyFingerprint } from '../../../interface/crypto-hash.js'
import { supportOperations } from '../../../interface/operations.js'
import type { JsonObject } from '../../../lib/json/json.js'
import type { SigningKey } from '../../../runner/sign/signing-key.js'
import type { Participant } from '../../../simulator/participant/participant.js'
import { type BehaviourName, createParticipant, serve } from '../../../simulator/simulator.js'
import {
  createdContract,
  environmentOf,
  objectIn,
  ping,
  type SimulatorEnvironment,
  textAt,
  uploadPackages,
} from '../../support/ledgers/simulator-environment.js'
import { stillClock } from '../../support/ledgers/still-clock.js'
import { printed, templates } from './hostile-commands.js'

export interface HostileEnvironment {
  environment: SimulatorEnvironment
  participant: Participant
  contracts: string[]
  blob: string
  eve: { party: string; key: Pick<SigningKey, 'publicKey' | 'sign'> }
  /** Transactions of eve, each with the hash to sign. */
  prepared: { bytes: Buffer; hash: Buffer }[]
}

/** Deterministic. */
export async function hostileEnvironment(t: Test, behaviour: BehaviourName): Promise<HostileEnvironment> {
  const participant = await createParticipant({ behaviour, clock: stillClock(), answerLimit: 200, seed: 'hostile' })
  const environment = await environmentOf(t, await serve(participant))
  await uploadPackages(environment.wire)
  const { contracts, blobs } = await populate(environment)
  const eve = await onboard(environment)
  const prepared = await Promise.all(Array.from({ length: 24 }, (_, index) => prepare(environment, eve.party, index)))
  return { environment, participant, contracts, blob: blobs[0] ?? '', eve, prepared }
}

async function populate(environment: SimulatorEnvironment): Promise<{ contracts: string[]; blobs: string[] }> {
  const { alice, bob } = environment
  const wanted: [entity: string, createArguments: JsonObject][] = [
    ['Note', { author: alice, readers: [bob], text: '' }],
    ['Joint', { first: alice, second: bob, observers: [] }],
    ['Keyed', { owner: alice, observers: [bob], id: 'k', text: '' }],
    ['Guarded', { owner: alice, amount: '5' }],
    ['Delegation', { principal: alice, agent: bob }],
    ['Asset', { issuer: alice, owner: bob, name: '', amount: '1' }],
    ['Upgradable', { owner: alice, text: '', note: 'n' }],
  ]
  const contracts: string[] = []
  const blobs: string[] = []
  for (const [entity, createArguments] of wanted) {
    const id = templates.findLast((template) => template.id.entity === entity)?.id
    const commands = [{ CreateCommand: { templateId: id ? printed(id) : '', createArguments } }]
    const { contractId, blob } = await createdContract(
      environment,
      environment.submission({ commands, actAs: [alice, bob] }),
    )
    contracts.push(contractId)
    blobs.push(blob)
  }
  return { contracts, blobs }
}

/** A constant key: the secret is the 32 bytes after the head of RFC 8410. */
function fixedKey(): HostileEnvironment['eve']['key'] {
  const head = Buffer.from('302e020100300506032b657004220420', 'hex')
  const privateKey = createPrivateKey({ key: Buffer.concat([head, Buffer.alloc(32, 7)]), format: 'der', type: 'pkcs8' })
  const spki = createPublicKey(privateKey).export({ type: 'spki', format: 'der' })
  return {
    publicKey: {
      format: 'CRYPTO_KEY_FORMAT_DER_X509_SUBJECT_PUBLIC_KEY_INFO',
      keyData: spki.toString('base64'),
      keySpec: 'SIGNING_KEY_SPEC_EC_CURVE25519',
    },
    sign: (message) => ({
      format: 'SIGNATURE_FORMAT_CONCAT',
      signature: sign(null, message, privateKey).toString('base64'),
      signedBy: keyFingerprint(spki.subarray(-32)),
      signingAlgorithmSpec: 'SIGNING_ALGORITHM_SPEC_ED25519',
    }),
  }
}

async function onboard({ wire, synchronizer }: SimulatorEnvironment): Promise<HostileEnvironment['eve']> {
  const key = fixedKey()
  const wanted = { synchronizer, partyHint: 'eve', publicKey: key.publicKey }
  const topology = objectIn(await wire.post('/v2/parties/external/generate-topology', wanted))
  const transactions = [topology['topologyTransactions'] ?? []].flat()
  const allocated = await wire.post('/v2/parties/external/allocate', {
    synchronizer,
    onboardingTransactions: transactions.map((transaction) => ({ transaction })),
    multiHashSignatures: [key.sign(Buffer.from(textAt(topology, 'multiHash'), 'base64'))],
  })
  return { party: textAt(objectIn(allocated), 'partyId'), key }
}

async function prepare(
  { wire }: SimulatorEnvironment,
  party: string,
  index: number,
): Promise<HostileEnvironment['prepared'][0]> {
  const createArguments = { id: 'x', initiator: party, responder: party }
  const body = objectIn(
    await wire.post(supportOperations.prepare.path, {
      commandId: `prepared-${index}`,
      commands: [{ CreateCommand: { templateId: ping, createArguments } }],
      actAs: [party],
      synchronizerId: '',
      packageIdSelectionPreference: [],
      userId: 'user',
    }),
  )
  const decoded = (name: string) => Buffer.from(textAt(body, name), 'base64')
  return { bytes: decoded('preparedTransaction'), hash: decoded('preparedTransactionHash') }
}
