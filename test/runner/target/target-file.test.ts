/** Target files: their settings, and the findings of invalid ones. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { preparedHash } from '../../../interface/prepared-transaction/hash.js'
import { alter } from '../../../runner/sign/alter.js'
import { makeSigningKey } from '../../../runner/sign/signing-key.js'
import { readSettings, type Settings } from '../../../runner/target/read-settings.js'
import { readTargetFile } from '../../../runner/target/settings-layer.js'
import { type Finding, FindingsError } from '../../../runner/yaml/findings.js'
import { startSimulator } from '../../../simulator/simulator.js'
import { type PresignedInput, presignTransactions } from '../../support/servers/presign-transactions.js'

const simulator = await startSimulator()
t.teardown(() => simulator.close())
const marks = ['mark-0001', 'mark-0002']
const right = await presignTransactions(simulator.url, marks)
const other = await presignTransactions(simulator.url, ['mark-0003'], { kind: 'p256' })

async function read(t: Test, text: string, now = new Date(), environment = {}): Promise<Settings> {
  const file = join(t.testdir({}), 'target.yaml')
  await writeFile(file, text)
  return readSettings([await readTargetFile(file, environment)], environment, now)
}

async function findingsOf(t: Test, text: string, now?: Date): Promise<readonly Finding[]> {
  try {
    await read(t, text, now)
    return []
  } catch (error) {
    if (error instanceof FindingsError) return error.findings
    throw error
  }
}

/** One line for each member, so that findings have distinct lines. */
const given = (...parties: unknown[]): string =>
  JSON.stringify({ unreachable: ['prepare'], presigned: parties }, null, 1)

const changed = (change: (copy: PresignedInput) => void): string => {
  const copy = structuredClone(right)
  change(copy)
  return given(copy)
}

const first = ({ transactions: [transaction] }: PresignedInput) => {
  if (!transaction) throw new Error('no transaction')
  return transaction
}

t.test('settings are read from YAML and JSON', async (t) => {
  const { url, authorization, access, run } = await read(
    t,
    'target: http://127.0.0.1:1\nauthorization: hs256:x\nprotocol-version: 34\nsynchronizer: a::b\nunreachable: [prepare]\n',
  )
  t.match(access.file, /target\.yaml$/)
  t.strictSame([...access.unreachable], ['prepare'])
  t.match(
    { url, authorization, synchronizerId: access.synchronizerId, run },
    {
      url: 'http://127.0.0.1:1',
      authorization: { kind: 'minted', key: { kind: 'hs256', secret: 'x' } },
      synchronizerId: 'a::b',
      run: { protocolVersion: 34 },
    },
  )
  const { access: whole } = await read(t, given(right, other))
  t.match(whole.presigned, [
    { party: right.party, key: { kind: 'ed25519' }, transactions: marks.map((mark) => ({ mark })) },
    { party: other.party, key: { kind: 'p256' }, transactions: [{ mark: 'mark-0003' }] },
  ])
  const [party] = whole.presigned
  const { signature, preparedTransactionHash } = first(right)
  t.strictSame(party?.key.sign(Buffer.from(preparedTransactionHash, 'base64')), signature)
  t.throws(
    () => party?.key.sign(Buffer.from('x')),
    /^the target file has no signature by the key 1220\w+… over these bytes$/,
  )
  t.throws(
    () => party?.key.sign(Buffer.from(preparedTransactionHash, 'base64'), 'sha384'),
    /has no signature by the key /,
  )
})

t.test('each finding has its line and a hint', async (t) => {
  const late = new Date(Date.now() + 25 * 3_600_000)
  const [bounded, foreign, unmarked, otherId, sameKind, word, inParty] = await Promise.all([
    presignTransactions(simulator.url, marks, { body: { maxRecordTime: '2090-01-01T00:00:00Z' } }),
    presignTransactions(simulator.url, marks, { argument: { responder: other.party } }),
    presignTransactions(simulator.url, ['short']),
    presignTransactions(simulator.url, marks, { body: { commandId: 'another' } }),
    presignTransactions(simulator.url, ['mark-0004']),
    presignTransactions(simulator.url, ['contractId']),
    presignTransactions(simulator.url, ['given-ed25519']),
  ])
  const mistakes: [what: string, text: string, message: RegExp, now?: Date][] = [
    ['no YAML', 'target: [', /^target\.yaml:1:\d+: invalid YAML/],
    ['nothing', '{}', /^target\.yaml:1:1: the file is empty/],
    ['a misspelt key', 'targt: x', /^target\.yaml:1:1: unknown key "targt" \| did you mean "target"\?/],
    ['an unknown operation', 'unreachable: [executes]', /^target\.yaml:1:15: unknown operation "executes"/],
    [
      'presigned transactions of a target with prepare',
      JSON.stringify({ presigned: [right] }),
      /the target prepares transactions itself \| .*unreachable: \[prepare\]/,
    ],
    [
      'no key',
      changed((one) => Object.assign(one.publicKey, { keyData: 'AAAA' })),
      /:8:17: not a SIGNING_KEY_SPEC_EC_CURVE25519 key/,
    ],
    [
      'another kind of key',
      given({ ...right, publicKey: { ...right.publicKey, keySpec: 'SIGNING_KEY_SPEC_EC_P256' } }),
      /not a SIGNING_KEY_SPEC_EC_P256 key/,
    ],
    [
      'no transaction',
      changed((one) => Object.assign(first(one), { preparedTransaction: 'AAAA' })),
      /:15:29: not a prepared transaction/,
    ],
    [
      'another hash',
      changed((one) => Object.assign(first(one), { preparedTransactionHash: 'AAAA' })),
      /not the hash of the transaction \| the hash is [A-Za-z0-9+/]{43}=$/,
    ],
    [
      'another scheme',
      changed((one) => Object.assign(first(one), { hashingSchemeVersion: 'HASHING_SCHEME_VERSION_V3' })),
      /unknown hashing scheme "HASHING_SCHEME_VERSION_V3"/,
    ],
    [
      'another signature',
      changed((one) => Object.assign(first(one), { signature: one.transactions[1]?.signature })),
      /the signature is not valid for the hash and the key/,
    ],
    [
      'another signer',
      changed((one) => Object.assign(first(one).signature, { signedBy: '1220' })),
      /signedBy must be 1220/,
    ],
    [
      'another format',
      changed((one) => Object.assign(first(one).signature, { format: 'SIGNATURE_FORMAT_DER' })),
      /format must be SIGNATURE_FORMAT_CONCAT for this key/,
    ],
    [
      'another algorithm',
      changed((one) => Object.assign(first(one).signature, { signingAlgorithmSpec: 'x' })),
      /signingAlgorithmSpec must be SIGNING_ALGORITHM_SPEC_ED25519 for this key/,
    ],
    ['another party', given({ ...right, party: other.party }), /its acting party is not given-p256/],
    [
      'a signature in another alphabet',
      changed((one) =>
        Object.assign(first(one).signature, {
          signature: String(first(one).signature['signature']).replace(/=+$/, ''),
        }),
      ),
      /the signature is not in the base64 form that participants accept/,
    ],
    [
      'a transaction with line breaks',
      changed((one) =>
        Object.assign(first(one), { preparedTransaction: first(one).preparedTransaction.replace(/.{64}/, '$&\n') }),
      ),
      /not a prepared transaction/,
    ],
    ['a mark in the name of the party', given(inParty), /"given-ed25519" also occurs in the name of the party/],
    ['a mark that is a word', given(word), /does not create a Ping .*one of them a digit/],
    ['a string instead of a map', 'authorization hs256:x', /^target\.yaml:1:1: a target file must be a map/],
    ['an invalid target', 'target: nonsense', /^target\.yaml:1:9: target: nonsense is not an http or https URL/],
    [
      'an invalid authorization',
      'authorization: Bearer',
      /^target\.yaml:1:16: authorization: expected none, given, hs256:SECRET/,
    ],
    [
      'one transaction twice',
      changed((one) => one.transactions.push(first(one))),
      /"mark-0001" occurs in another transaction, too/,
    ],
    [
      'two parties with one kind of key',
      given(right, sameKind),
      /:38:3: an earlier party has the same kind of key \(ed25519\)/,
    ],
    ['a time bound', given(bounded), /it has a time bound.* \| prepare it without ledger times/],
    ['a contract with another party', given(foreign), /does not create a Ping/],
    ['a short mark', given(unmarked), /does not create a Ping .*\| .*MARK has at least eight letters/],
    ['another command id', given(otherId), /does not create a Ping/],
    ['an old transaction', given(right), /it was prepared at 20\S+Z and is valid for 24 hours/, late],
  ]
  for (const [what, text, message, now] of mistakes) {
    const found = await findingsOf(t, text, now)
    const lines = found.map(
      ({ location, message, hint = '' }) => `target.yaml:${location.line}:${location.column}: ${message} | ${hint}`,
    )
    t.match(lines[0], message, what)
  }
  t.equal((await findingsOf(t, given(right, other))).length, 0, 'a valid file has no finding')
})

t.test('with a mark, a transaction may have another encoding', async (t) => {
  const marked = (preparedTransaction: string, mark: string): string =>
    changed((one) => Object.assign(first(one), { preparedTransaction, mark }))
  const { access } = await read(t, marked('AAAA', 'mark-0001'))
  t.match(access.presigned[0]?.transactions, [{ prepared: 'AAAA', mark: 'mark-0001' }, { mark: 'mark-0002' }])
  t.match(await findingsOf(t, marked('AAAA', 'mark-word')), [
    { message: '"mark-word" is not the mark of the transaction' },
  ])
  t.match(await findingsOf(t, marked(first(right).preparedTransaction, 'mark-0009')), [
    { message: '"mark-0009" is not the mark of the transaction' },
  ])
  t.match(await findingsOf(t, marked('%', 'mark-0001')), [{ message: 'not a prepared transaction' }])
})

t.test('a missing file is reported in one line', async (t) => {
  const error = await readTargetFile(join(t.testdir({}), 'none.yaml'), {}).catch((cause: unknown) => cause)
  t.match(error, { name: 'FindingsError', message: /none\.yaml:1:1: error: the target file cannot be read: ENOENT/ })
})

t.test('findings contain no secret of the file', async (t) => {
  const files = [
    'authorization: hs256:planted-secret\nunreachable: [x]\nauthorization: hs256:planted-secret\n',
    'authorization hs256:planted-secret',
    '{"authorization": "hs256\\u003aplanted-secret", "unreachable": ["x"]}',
    'authorization: "hs256:\n  planted-secret" x',
    'authorization: [planted-secret]',
    'authorization: "planted-secret": 2',
    'authorization: HS256:planted-secret',
    'target: http://user:hidden-part-77@127.0.0.1:9',
    'target: http://user:a hidden-part-77@127.0.0.1:9',
    'target: http://127.0.0.1:9/?key=hidden-part-77',
    'target: "http://127.0.0.1:9/#hidden-part-77"',
    'target: http://127.0.0.1:9/#hidden-part-77',
  ]
  for (const text of files) {
    const found = await findingsOf(t, text)
    t.ok(found.length > 0, text)
    t.notMatch(new FindingsError('target', found).message, /planted|hidden/, text)
  }
})

t.test('an invalid preparation time is reported', async (t) => {
  const { preparedTransaction } = first(right)
  const late = alter(preparedTransaction, { add: { 'metadata.preparation_time': 8_000_000_000_000_000 } }) ?? ''
  const hash = preparedHash(late, 'V2') ?? ''
  const key = makeSigningKey('ed25519')
  const transaction = {
    preparedTransaction: alter(late, { set: { 'metadata.submitter_info.act_as': right.party } }) ?? '',
    preparedTransactionHash: hash,
    hashingSchemeVersion: 'HASHING_SCHEME_VERSION_V2',
    signature: key.sign(Buffer.from(hash, 'base64')),
  }
  const found = await findingsOf(t, given({ ...right, publicKey: key.publicKey, transactions: [transaction] }))
  t.match(found, [{ message: /^it was prepared at .* and is valid for 24 hours$/ }])
})
