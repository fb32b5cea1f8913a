/** Each check of signatures alone: without it, exactly the faulty requests that it rejects are executed. */
import t from 'tap'
import type { JsonObject } from '../../../lib/json/json.js'
import { damage } from '../../../runner/sign/alter.js'
import { makeSigningKey, type SigningKey } from '../../../runner/sign/signing-key.js'
import {
  createPing,
  type ExternalEnvironment,
  execute,
  executePath,
  execution,
  externalEnvironment,
  hashOf,
  outcomeOf,
  type Signer,
} from '../../support/ledgers/external-environment.js'

interface Parties {
  strict: Signer
  /** Its signatures have another format. */
  simple: Signer
}

const first = ({ keys }: Signer): SigningKey => keys[0] ?? makeSigningKey('p256')

/** Each breaks exactly one rule. */
const breaches: Record<string, (parties: Parties, hash: Buffer) => { actor: Signer; entries: JsonObject[] }> = {
  'EXE-SIGNATURES-AUTHORIZE': ({ simple }) => ({ actor: simple, entries: [] }),
  'EXE-SIGNATURE-KEY': ({ simple }, hash) => ({
    actor: simple,
    entries: [{ party: simple.party, signatures: [makeSigningKey('p256').sign(hash)] }],
  }),
  'EXE-SIGNATURE-FORM': ({ simple }, hash) => ({
    actor: simple,
    entries: [
      {
        party: simple.party,
        signatures: [{ ...first(simple).sign(hash), signingAlgorithmSpec: 'SIGNING_ALGORITHM_SPEC_ED25519' }],
      },
    ],
  }),
  'EXE-SIGNATURE-VALID': ({ simple }, hash) => ({
    actor: simple,
    entries: [{ party: simple.party, signatures: [first(simple).sign(damage(hash, 'flip-first') ?? hash)] }],
  }),
  'EXE-SIGNATURE-THRESHOLD': ({ strict }, hash) => ({
    actor: strict,
    entries: [{ party: strict.party, signatures: [first(strict).sign(hash)] }],
  }),
  'EXE-SIGNATURES-LIMIT': ({ simple }, hash) => ({
    actor: simple,
    entries: [{ party: simple.party, signatures: Array(51).fill(first(simple).sign(hash)) }],
  }),
}

async function attempt(environment: ExternalEnvironment, parties: Parties, breach: (typeof breaches)[string]) {
  const { actor } = breach(parties, Buffer.alloc(32))
  const prepared = await environment.prepare(actor.party, createPing(actor))
  const { entries } = breach(parties, hashOf(prepared))
  return outcomeOf(await execute(environment, execution(prepared, entries), executePath))
}

for (const left of [...Object.keys(breaches), 'NO-SUCH-RULE']) {
  t.test(`without ${left}`, async (t) => {
    const environment = await externalEnvironment(t, { overrides: { without: [left] } })
    const simple = await environment.onboard('eve', [makeSigningKey('p256')])
    const strict = await environment.onboard('pat', [makeSigningKey('ed25519'), makeSigningKey('p384')], 2)
    for (const [rule, breach] of Object.entries(breaches)) {
      const expected = rule === left ? 200 : '400 FAILED_TO_EXECUTE_TRANSACTION'
      t.equal(await attempt(environment, { simple, strict }, breach), expected, rule)
    }
    const prepared = await environment.prepare(strict.party, createPing(strict))
    t.equal(
      outcomeOf(await execute(environment, execution(prepared, [strict]), executePath)),
      200,
      'a correct request is accepted',
    )
  })
}

t.test('without EXE-SIGNATURE-KEY, a local party without keys needs no valid signature', async (t) => {
  for (const without of [[], ['EXE-SIGNATURE-KEY']]) {
    const environment = await externalEnvironment(t, { overrides: { without } })
    const alice: Signer = { party: environment.alice, keys: [makeSigningKey('ed25519')] }
    const prepared = await environment.prepare(alice.party, createPing(alice))
    const expected = without.length > 0 ? 200 : '400 FAILED_TO_EXECUTE_TRANSACTION'
    t.equal(outcomeOf(await execute(environment, execution(prepared, [alice]))), expected)
  }
})
