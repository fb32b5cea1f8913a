/** Hashes, fingerprints and signatures agree with published and recorded ones. `test/release/wallet-hashes.test.ts` compares them with other code. */
import { createPrivateKey, createPublicKey, sign } from 'node:crypto'
import t from 'tap'
import { hashPurpose, keyFingerprint, multiTopologyHash, purposeDigest } from '../../interface/crypto-hash.js'
import { hashPreparedTransaction } from '../../interface/prepared-transaction/hash.js'
import { isSignedBy, readKey } from '../../simulator/ledger/state/external-party.js'
import { modelEnvironment } from '../support/ledgers/model-environment.js'
import { onboard } from '../support/ledgers/onboarded-party.js'
import { preparedSample } from '../support/replay/prepared-sample.js'
import { base64, hashHere, hex, published, recordedTopology } from '../support/replay/published-vectors.js'
import { vectors } from '../support/replay/recorded-vectors.js'

const multihash = (digest: Buffer): Buffer => Buffer.concat([hex('1220'), digest])

t.test('every known V2 transaction has the recorded hash', (t) => {
  const all = [...published.prepared, ...vectors.filter(({ scheme }) => scheme === 'HASHING_SCHEME_VERSION_V2')]
  for (const { note, preparedTransaction, preparedTransactionHash } of all)
    t.equal(hashHere(preparedTransaction), preparedTransactionHash, note)
  t.end()
})

t.test('topology transactions and their multi-hash have the published hashes', async (t) => {
  for (const { note, transaction, hash } of published.topology) {
    const digest = purposeDigest(hashPurpose.topologyTransaction, base64(transaction))
    t.equal(multihash(digest).toString('hex'), hash, note)
  }
  const fresh = await onboard((await modelEnvironment(t)).wire, 'p256')
  const sets: [transactions: string[], multiHash: string][] = [
    ...published.multiHashes.map(({ of, hash }): [string[], string] => [
      of.map((index) => published.topology[index]?.transaction ?? ''),
      hex(hash).toString('base64'),
    ]),
    ...recordedTopology.map((item): [string[], string] => [item.topologyTransactions, item.multiHash]),
    [fresh.topology.transactions, fresh.topology.multiHash],
  ]
  for (const [transactions, expected] of sets) {
    t.equal(multiTopologyHash(transactions.map(base64)).toString('base64'), expected)
    t.equal(multiTopologyHash(transactions.toReversed().map(base64)).toString('base64'), expected, 'in any order')
  }
})

t.test('published keys have the published fingerprints', async (t) => {
  for (const { key, fingerprint } of [...published.fingerprints, published.signature].map(keyed)) {
    t.equal(keyFingerprint(key), fingerprint)
    const found = readKey(key, 'SIGNING_KEY_SPEC_EC_CURVE25519')
    t.equal(found?.fingerprint, fingerprint)
    t.notOk(published.notFingerprints.includes(fingerprint))
    t.equal(readKey(found?.spki ?? key, 'SIGNING_KEY_SPEC_EC_CURVE25519')?.fingerprint, fingerprint, 'in DER form')
  }
  const [first] = published.fingerprints
  const spki = readKey(hex(first?.key ?? ''), 'SIGNING_KEY_SPEC_EC_CURVE25519')?.spki ?? Buffer.alloc(0)
  t.strictSame([keyFingerprint(spki)], published.notFingerprints, 'the DER form has another fingerprint')
})

const keyed = (item: { fingerprint: string; key?: string; publicKey?: string }) => ({
  fingerprint: item.fingerprint,
  key: hex(item.key ?? item.publicKey ?? ''),
})

t.test('a published Ed25519 signature is reproduced and verified', async (t) => {
  const { seed, publicKey, message, signature } = published.signature
  const pkcs8 = Buffer.concat([hex('302e020100300506032b657004220420'), hex(seed)])
  const privateKey = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' })
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' })
  t.equal(spki.subarray(-32).toString('hex'), publicKey)
  t.equal(sign(null, hex(message), privateKey).toString('base64'), signature)
  const key = readKey(hex(publicKey), 'SIGNING_KEY_SPEC_EC_CURVE25519')
  if (!key) throw new Error('the published key is one')
  t.ok(isSignedBy(key, hex(message), base64(signature)))
  t.notOk(isSignedBy(key, multihash(hex(message)), base64(signature)), 'the signature covers the bare 32 bytes')
  const { transaction, metadata } = preparedSample('V2')
  t.equal(hashPreparedTransaction({ transaction, metadata }, 'V2').toString('hex'), message, 'a known final hash')
})
