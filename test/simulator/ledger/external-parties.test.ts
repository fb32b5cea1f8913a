/** External parties: topology transactions and signatures. */
import { readFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import { keyFingerprint, multiTopologyHash } from '../../../interface/crypto-hash.js'
import type { JsonObject } from '../../../lib/json/json.js'
import { keyKinds, makeSigningKey, type SigningKey } from '../../../runner/sign/signing-key.js'
import {
  decodeTopology,
  encodeTopology,
  type Hosting,
  isSignedBy,
  keySpecNames,
  readKey,
} from '../../../simulator/ledger/state/external-party.js'
import { isInForm, signatureFormats, signingAlgorithms } from '../../../simulator/ledger/submit/party-signature.js'
import { bytesAt, withKeys } from '../../support/ledgers/external-environment.js'
import {
  objectIn,
  ping,
  type SimulatorEnvironment,
  simulatorEnvironment,
  submitPath,
  textAt,
} from '../../support/ledgers/simulator-environment.js'
import type { WireAnswer } from '../../support/servers/wire.js'

const generatePath = '/v2/parties/external/generate-topology'
const allocatePath = '/v2/parties/external/allocate'

interface RecordedTopology {
  publicKey: { keyData: string; keySpec: string }
  partyId: string
  publicKeyFingerprint: string
  topologyTransactions: string[]
  multiHash: string
}

const recordings = new URL('../../../../test/recordings/topology.json', import.meta.url)
const recorded = JSON.parse(readFileSync(recordings, 'utf8')) as RecordedTopology[] // our own data, in this form

const generate = (
  { wire, synchronizer }: SimulatorEnvironment,
  partyHint: string,
  publicKey: SigningKey['publicKey'],
) => wire.post(generatePath, { synchronizer, partyHint, publicKey })

const allocate = ({ wire, synchronizer }: SimulatorEnvironment, topology: Buffer, multiHashSignatures: JsonObject[]) =>
  wire.post(allocatePath, {
    synchronizer,
    onboardingTransactions: [{ transaction: topology.toString('base64') }],
    multiHashSignatures,
  })

async function generated(environment: SimulatorEnvironment, hint: string, key: SigningKey) {
  const body = objectIn(await generate(environment, hint, key.publicKey))
  const [transaction] = Array.isArray(body['topologyTransactions']) ? body['topologyTransactions'] : []
  const topology = Buffer.from(String(transaction), 'base64')
  return { party: textAt(body, 'partyId'), topology }
}

const createPing = (initiator: string, responder: string): JsonObject => ({
  CreateCommand: { templateId: ping, createArguments: { id: 'ping', initiator, responder } },
})

/** Also asserts that exactly hosted parties can be used in contracts. */
async function isUsable(t: Test, environment: SimulatorEnvironment, party: string): Promise<boolean> {
  const { wire, alice, submission } = environment
  const details = objectIn(await wire.send({ method: 'GET', path: `/v2/parties/${encodeURIComponent(party)}` }))
  const isHosted = Array.isArray(details['partyDetails']) && details['partyDetails'].length === 1
  const answer = await wire.post(submitPath, submission({ commands: [createPing(alice, party)] }))
  t.equal(answer.status === 200, isHosted, 'a party can be used if and only if it is hosted')
  return isHosted
}

const refusal = (answer: WireAnswer) => [answer.status, objectIn(answer)['code']]

t.test('recorded topology transactions decode, and their hashes equal the recorded ones', async (t) => {
  for (const { publicKey, partyId, publicKeyFingerprint, topologyTransactions, multiHash } of recorded) {
    const transactions = topologyTransactions.map((text) => Buffer.from(text, 'base64'))
    t.equal(multiTopologyHash(transactions).toString('base64'), multiHash)
    const spki = Buffer.from(publicKey.keyData, 'base64')
    const [first = Buffer.alloc(0)] = transactions
    const { topology } = decodeTopology(first)
    t.strictSame(topology, {
      party: partyId,
      keys: [{ spki, spec: publicKey.keySpec, fingerprint: publicKeyFingerprint }],
      threshold: 1,
    })
    const isEd25519 = publicKey.keySpec === 'SIGNING_KEY_SPEC_EC_CURVE25519'
    t.equal(keyFingerprint(isEd25519 ? spki.subarray(-32) : spki), publicKeyFingerprint)
    t.strictSame(encodeTopology(topology, hostedBy(hostIn(first))), first, 'the simulator writes the same bytes')
  }
})

function hostedBy(id: string): Hosting {
  return { participants: [{ id, permission: 'confirmation' }], threshold: 1 }
}

/** The participant that a topology transaction names. */
function hostIn(topology: Buffer): string {
  return [1, 3, 9, 3, 1].reduce(bytesAt, topology).toString('utf8')
}

t.test('the onboarding of a party with several keys needs signatures of all keys', async (t) => {
  const environment = await simulatorEnvironment(t)
  const [first, second, third] = [makeSigningKey('ed25519'), makeSigningKey('p256'), makeSigningKey('secp256k1')]
  const { party, topology } = await generated(environment, 'eve', first)
  const others = await Promise.all([second, third].map((key) => generated(environment, 'other', key)))
  const withThreshold = (threshold: number): Buffer =>
    withKeys(
      topology,
      others.map((other) => other.topology),
      threshold,
    )
  for (const threshold of [0, 4])
    t.throws(() => decodeTopology(withThreshold(threshold)), /a threshold of . does not fit 3 signing keys/)
  const several = withThreshold(2)
  t.match(decodeTopology(several).topology, { party, threshold: 2, keys: [{}, {}, {}] })
  const message = multiTopologyHash([several])
  await allocate(environment, several, [first.sign(message), second.sign(message)])
  t.notOk(await isUsable(t, environment, party))
  const one = objectIn(
    await allocate(
      environment,
      several,
      [third, second, first].map((key) => key.sign(message)),
    ),
  )
  t.equal(one['partyId'], party)
  t.ok(await isUsable(t, environment, party))
  const stolen = encodeTopology(
    { ...decodeTopology(topology).topology, party: environment.alice },
    hostedBy(environment.participant),
  )
  await allocate(environment, stolen, [first.sign(multiTopologyHash([stolen]))])
  const asAlice = await environment.wire.post(submitPath, environment.submission())
  t.equal(asAlice.status, 200, 'a different key cannot take over the party')
})

t.test('invalid keys and keys of another kind are rejected', async (t) => {
  const environment = await simulatorEnvironment(t)
  const p256 = makeSigningKey('p256').publicKey
  const ed25519 = makeSigningKey('ed25519').publicKey
  const ed25519Head = Buffer.from(ed25519.keyData, 'base64').subarray(0, 12)
  const point = (hex: string) => ({
    ...ed25519,
    keyData: Buffer.concat([ed25519Head, Buffer.from(hex, 'hex')]).toString('base64'),
  })
  const bad = [
    { ...ed25519, keyData: 'AAAA' },
    { ...ed25519, keySpec: p256.keySpec },
    { ...p256, keySpec: ed25519.keySpec },
    { ...p256, keySpec: makeSigningKey('p384').publicKey.keySpec },
    point('00'.repeat(32)),
    point(`01${'00'.repeat(31)}`),
    point(`01${'00'.repeat(30)}80`),
    point('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85'),
  ]
  for (const publicKey of bad)
    t.strictSame(refusal(await generate(environment, 'eve', publicKey)), [400, 'INVALID_ARGUMENT'])
  const raw = {
    ...ed25519,
    format: 'CRYPTO_KEY_FORMAT_RAW',
    keyData: Buffer.from(ed25519.keyData, 'base64').subarray(12).toString('base64'),
  }
  t.equal((await generate(environment, 'eve', raw)).status, 200, 'the raw 32 bytes of an Ed25519 key are accepted')
  for (const garbage of [Buffer.from('garbage'), Buffer.alloc(0), Buffer.from([0x0a])]) {
    t.strictSame(refusal(await allocate(environment, garbage, [])), [400, 'INVALID_FIELD'])
  }
})

t.test('a signature is verified with the digest of its key kind', async (t) => {
  for (const kind of keyKinds) {
    const pair = makeSigningKey(kind)
    const spec = keySpecNames.find((name) => name === pair.publicKey.keySpec)
    const key = spec && readKey(Buffer.from(pair.publicKey.keyData, 'base64'), spec)
    if (!key) throw new Error(`no key of ${kind}`)
    const message = Buffer.from('message')
    const signature = Buffer.from(String(pair.sign(message)['signature']), 'base64')
    t.ok(isSignedBy(key, message, signature), kind)
    t.notOk(isSignedBy(key, Buffer.from('another'), signature), kind)
    t.notOk(isSignedBy(key, message, signature.subarray(1)), kind)
    const algorithm = signingAlgorithms.find((name) => name === pair.sign(message)['signingAlgorithmSpec'])
    if (!algorithm) throw new Error(`no algorithm of ${kind}`)
    const own = kind === 'ed25519' ? 'SIGNATURE_FORMAT_CONCAT' : 'SIGNATURE_FORMAT_DER'
    t.strictSame(
      signatureFormats.filter((format) => isInForm({ format, algorithm, signature, signedBy: '' }, key)),
      ['SIGNATURE_FORMAT_RAW', own],
    )
  }
})
