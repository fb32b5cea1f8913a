/** External parties in a run: keys, signatures, altered transactions and onboarding. */
import { createPublicKey, verify } from 'node:crypto'
import t, { type Test } from 'tap'
import { keyFingerprint } from '../../../interface/crypto-hash.js'
import { decodePreparedTransaction } from '../../../interface/prepared-transaction/codec.js'
import { type JsonObject, type JsonValue, parseJson } from '../../../lib/json/json.js'
import type { Data } from '../../../record/types/resolved-row.js'
import { onboard } from '../../../runner/provision/external-party.js'
import { changeField, FieldPathError, repeatField } from '../../../runner/sign/message-edit.js'
import { preparedField } from '../../../runner/sign/prepared-fields.js'
import { KeyRing, keyKinds, makeSigningKey, type SigningKey } from '../../../runner/sign/signing-key.js'
import { TargetError } from '../../../runner/target/target.js'
import { byKeys } from '../../../runner/template/generators.js'
import { fill } from '../../../runner/template/variables.js'
import { startSimulator } from '../../../simulator/simulator.js'
import { vectors } from '../../support/replay/recorded-vectors.js'
import { connect } from '../../support/servers/wire.js'

const prepared = vectors[0].preparedTransaction
const message = Buffer.from('what is signed')

const publicKeyOf = ({ publicKey }: SigningKey) =>
  createPublicKey({ key: Buffer.from(publicKey.keyData, 'base64'), format: 'der', type: 'spki' })

const make = (data: Data, keys?: KeyRing): JsonValue => fill(data, new Map(), keys && byKeys(keys))
const signatureIn = (value: JsonValue): Buffer => Buffer.from(String((value as JsonObject)['signature']), 'base64') // a signature object

t.test('signatures of each kind of key verify with the public key', (t) => {
  const ring = new KeyRing()
  for (const kind of keyKinds) {
    const key = ring.make(kind)
    const digest = { ed25519: null, p256: 'sha256', p384: 'sha384', secp256k1: 'sha256' }[kind]
    const signed = make({ $sign: message.toString('base64'), with: key.fingerprint }, ring)
    t.ok(verify(digest, message, publicKeyOf(key), signatureIn(signed)), kind)
    t.match(signed, { signedBy: key.fingerprint })
    const spki = Buffer.from(key.publicKey.keyData, 'base64')
    t.equal(key.fingerprint, keyFingerprint(kind === 'ed25519' ? spki.subarray(-32) : spki))
  }
  t.throws(() => make({ $sign: 'AA==', with: 'unknown' }, ring), { name: 'VariableError' }, 'an unknown key')
  t.throws(() => make({ $sign: 'AA==', with: 'unknown' }), { name: 'VariableError' }, 'no keys')
  t.end()
})

t.test('the other fingerprint is the hash of another encoding of the key', (t) => {
  const ring = new KeyRing()
  for (const kind of keyKinds) {
    const key = ring.make(kind)
    const spki = Buffer.from(key.publicKey.keyData, 'base64')
    // The end of the encoding: 32 bytes, or an uncompressed point.
    const raw = kind === 'ed25519' ? spki.subarray(-32) : spki.subarray(-1 - 2 * (kind === 'p384' ? 48 : 32))
    const other = make({ '$other-fingerprint': key.fingerprint }, ring)
    t.equal(other, keyFingerprint(kind === 'ed25519' ? spki : raw), kind)
    t.not(other, key.fingerprint)
  }
  t.throws(() => make({ '$other-fingerprint': 'unknown' }, ring), { name: 'VariableError' })
  t.end()
})

t.test('$upper-case converts strings, and $uuid derives a UUID from a string', (t) => {
  t.equal(make({ '$upper-case': '1220ab' }), '1220AB')
  const uuid = make({ $uuid: 'row 7' })
  t.match(uuid, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
  t.equal(make({ $uuid: 'row 7' }), uuid)
  t.not(make({ $uuid: 'row 8' }), uuid)
  t.throws(() => make({ $uuid: 7 }), { name: 'VariableError' })
  t.end()
})

t.test('alterations can be values', (t) => {
  const set = { 'metadata.transaction_uuid': '4c6471d3-4e09-49dd-addf-6cd90e19c583' }
  t.equal(make({ $alter: prepared, changes: { set } }), make({ $alter: prepared, set }))
  t.equal(make({ $alter: prepared, changes: {} }), prepared)
  t.throws(() => make({ $alter: prepared, changes: 'x' }), { name: 'VariableError' })
  t.throws(() => make({ $alter: prepared, changes: { set: { nothing: 'x' } } }), { name: 'VariableError' })
  t.end()
})

t.test('a signature can use another digest than that of the key', (t) => {
  const ring = new KeyRing()
  const key = ring.make('p256')
  const signed = make({ $sign: message.toString('base64'), with: key.fingerprint, digest: 'sha384' }, ring)
  t.ok(verify('sha384', message, publicKeyOf(key), signatureIn(signed)))
  t.notOk(verify('sha256', message, publicKeyOf(key), signatureIn(signed)))
  t.end()
})

t.test('other forms of a signature verify only if the curve permits them', (t) => {
  for (const curve of ['p256', 'p384', 'secp256k1'] as const) {
    const key = makeSigningKey(curve)
    const digest = curve === 'p384' ? 'sha384' : 'sha256'
    const signature = String(key.sign(message)['signature'])
    const verifies = (form: string): boolean => {
      const changed = make({ '$ecdsa-form': signature, curve, form })
      t.not(changed, signature, `${form} differs`)
      return verify(digest, message, publicKeyOf(key), Buffer.from(String(changed), 'base64'))
    }
    t.ok(verifies('negated-s'), `${curve}: -s is valid too`)
    for (const form of ['s-plus-order', 'zero-r-and-s', 'trailing-byte', 'leading-zero']) {
      t.notOk(verifies(form), `${curve}: ${form}`)
    }
    const concatenated = Buffer.from(String(make({ '$ecdsa-form': signature, curve, form: 'concatenated' })), 'base64')
    t.ok(verify(digest, message, { key: publicKeyOf(key), dsaEncoding: 'ieee-p1363' }, concatenated), 'without DER')
    t.throws(() => make({ '$ecdsa-form': signature, curve, form: 'upside-down' }), { name: 'VariableError' })
  }
  const key = makeSigningKey('ed25519')
  const signature = String(key.sign(message)['signature'])
  const larger = Buffer.from(String(make({ '$ed25519-plus-order': signature })), 'base64')
  t.equal(larger.length, 64)
  t.notOk(verify(null, message, publicKeyOf(key), larger))
  t.throws(() => make({ '$ed25519-plus-order': 'AAAA' }), { name: 'VariableError' })
  t.throws(() => make({ '$ecdsa-form': 'AAAA', curve: 'p256', form: 'negated-s' }), { name: 'VariableError' })
  t.end()
})

t.test('$damage changes the named bytes', (t) => {
  const damaged = (how: string) => Buffer.from(String(make({ $damage: 'AAECAw==', how })), 'base64').toString('hex')
  t.equal(damaged('flip-first'), '01010203')
  t.equal(damaged('flip-middle'), '00010303')
  t.equal(damaged('flip-last'), '00010202')
  t.equal(damaged('cut'), '000102')
  t.equal(damaged('extend'), '0001020300')
  t.equal(damaged('zero'), '00000000')
  t.equal(damaged('multihash'), '122000010203')
  t.throws(() => make({ $damage: 'AAECAw==', how: 'bend' }), { name: 'VariableError' })
  t.equal(make({ $hex: 'AAECAw==' }), '00010203')
  t.equal(make({ $base64: '+/8=', as: 'url' }), '-_8')
  t.equal(make({ $base64: 'AAECAw==', as: 'unpadded' }), 'AAECAw')
  t.match(make({ $base64: 'A'.repeat(100), as: 'lines' }), /^A{64}\nA{36}$/)
  t.end()
})

t.test('the hash of a prepared transaction is computed from its bytes', (t) => {
  for (const { preparedTransaction, preparedTransactionHash, scheme } of vectors) {
    t.equal(make({ '$prepared-hash': preparedTransaction, scheme: scheme.slice(-2) }), preparedTransactionHash)
  }
  t.throws(() => make({ '$prepared-hash': '/////w==', scheme: 'V2' }), { name: 'VariableError' })
  t.throws(() => make({ '$prepared-hash': prepared, scheme: 'V9' }), { name: 'VariableError' })
  t.end()
})

t.test('an alteration changes only the named fields', (t) => {
  const before = decodePreparedTransaction(Buffer.from(prepared, 'base64'))
  const altered = (wanted: { [name: string]: Data }) =>
    decodePreparedTransaction(Buffer.from(String(make({ $alter: prepared, ...wanted })), 'base64'))
  const { metadata, transaction } = before
  t.strictSame(altered({ set: { 'metadata.transaction_uuid': 'x' } }), {
    transaction,
    metadata: { ...metadata, transactionUuid: 'x' },
  })
  t.strictSame(altered({ add: { 'metadata.preparation_time': -5 } }), {
    transaction,
    metadata: { ...metadata, preparationTime: metadata.preparationTime - 5n },
  })
  const { actAs, commandId } = metadata.submitterInfo
  t.strictSame(altered({ append: { 'metadata.submitter_info.act_as': 'mallory' } }), {
    transaction,
    metadata: { ...metadata, submitterInfo: { actAs: [...actAs, 'mallory'], commandId } },
  })
  t.strictSame(altered({ remove: { 'metadata.mediator_group': true } }).metadata, { ...metadata, mediatorGroup: 0 })
  t.strictSame(altered({ 'remove-all': { 'transaction.node_seeds': true } }).transaction.nodeSeeds, [])
  t.strictSame(altered({ repeat: { 'transaction.roots': true } }).transaction.roots, [
    transaction.roots[0],
    ...transaction.roots,
  ])
  t.equal(altered({ 'set-bytes': { 'transaction.node_seeds.seed': 'AAAA' } }).transaction.nodeSeeds[0]?.seed.length, 3)
  const same = { 'unknown-field': { metadata: 'x' }, reverse: true }
  t.not(make({ $alter: prepared, ...same }), prepared)
  t.strictSame(altered(same), before, 'unknown fields and another order change no value')
  for (const wanted of [
    { set: { 'metadata.nothing': 'x' } },
    { set: { 'metadata.transaction_uuid': true } },
    { add: { 'metadata.transaction_uuid': 1 } },
    { bend: { metadata: true } },
    { repeat: { 'metadata.max_record_time': true } },
    { set: 'x' },
  ] satisfies { [name: string]: Data }[]) {
    t.throws(() => make({ $alter: prepared, ...wanted }), { name: 'VariableError' }, JSON.stringify(wanted))
  }
  t.end()
})

t.test('a missing field can be set, but a missing parent is an error', (t) => {
  const path = preparedField('metadata.max_record_time') ?? []
  const bytes = changeField(Buffer.from(prepared, 'base64'), path, () => ({ number: 11, wire: 'varint', value: 7n }))
  t.equal(decodePreparedTransaction(bytes).metadata.maxRecordTime, 7n)
  t.throws(() => changeField(bytes, [], () => undefined), FieldPathError)
  t.throws(() => changeField(bytes, [{ number: 9, nth: 0 }, ...path], () => undefined), FieldPathError)
  t.throws(() => repeatField(bytes, [{ number: 99, nth: 0 }]), FieldPathError)
  t.end()
})

async function participant(t: Test) {
  const simulator = await startSimulator({ seed: 'sign' })
  const wire = connect(simulator.url)
  t.teardown(async () => {
    await wire.close()
    await simulator.close()
  })
  const paths: Record<string, string> = {
    'generate-external-topology': '/v2/parties/external/generate-topology',
    'allocate-external-party': '/v2/parties/external/allocate',
  }
  const answer = await wire.send({ method: 'GET', path: '/v2/state/connected-synchronizers', headers: {} })
  const connected = parseJson(answer.text) as JsonObject // known to be an object
  const [first] = connected['connectedSynchronizers'] as JsonObject[] // and to list objects
  const call = async (name: string, body: JsonValue = null): Promise<JsonValue> => {
    const answer = await wire.post(paths[name] ?? '', body)
    if (answer.status !== 200) throw new TargetError(answer.text)
    return answer.json()
  }
  return { call, synchronizer: String(first?.['synchronizerId']) }
}

t.test('parties are onboarded with one key, or with several keys and a threshold', async (t) => {
  const { call, synchronizer } = await participant(t)
  const key = makeSigningKey('p384')
  t.equal(await onboard({ hint: 'one', keys: [key], threshold: 1 }, synchronizer, call), `one::${key.fingerprint}`)
  const [first, ...more] = [makeSigningKey('ed25519'), makeSigningKey('p256'), makeSigningKey('secp256k1')] as const
  const several = { hint: 'three', keys: [first, ...more], threshold: 2 } as const
  t.equal(await onboard(several, synchronizer, call), `three::${first.fingerprint}`)
})

t.test('the keys do not sign a topology with a wrong hash', async (t) => {
  const { call, synchronizer } = await participant(t)
  const party = { hint: 'eve', keys: [makeSigningKey('ed25519')], threshold: 1 } as const
  let allocations = 0
  const lying = async (name: string, body?: JsonValue): Promise<JsonValue> => {
    if (name === 'allocate-external-party') allocations += 1
    const answer = await call(name, body)
    return { ...(answer as JsonObject), multiHash: Buffer.alloc(34).toString('base64') } // the answer is an object
  }
  await t.rejects(onboard(party, synchronizer, lying), /returned the hash .* The run does not sign them\.$/)
  t.equal(allocations, 0)
})
