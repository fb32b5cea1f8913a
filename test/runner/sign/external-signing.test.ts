/** Signatures of executions: keys, formats, thresholds, parties, and transactions that the signer changed. */
import t from 'tap'
import type { DamlRecord } from '../../../interface/daml-value.js'
import type { InputContract } from '../../../interface/prepared-transaction/codec.js'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json/json.js'
import { damage } from '../../../runner/sign/alter.js'
import { ecdsaForm, ed25519PlusOrder } from '../../../runner/sign/signature-form.js'
import { keyKinds, makeSigningKey } from '../../../runner/sign/signing-key.js'
import { decodeBlob, encodeBlob } from '../../../simulator/ledger/contracts/created-event-blob.js'
import { builtInPackage, PackageStore } from '../../../simulator/ledger/packages/package-store.js'
import { signatureFormats, signingAlgorithms } from '../../../simulator/ledger/submit/party-signature.js'
import {
  altered,
  createPing,
  eveEnvironment,
  execute,
  executePath,
  execution,
  externalEnvironment,
  hashOf,
  outcomeOf,
  refused,
  signatureOf,
  transactionPath,
  waitPath,
} from '../../support/ledgers/external-environment.js'
import { objectIn, ping, uploadPackages } from '../../support/ledgers/simulator-environment.js'
import { reworked } from '../../support/replay/damaged-prepared.js'
import { at } from '../../support/replay/replay-variables.js'

const paths = [executePath, waitPath, transactionPath]

for (const kind of keyKinds) {
  t.test(`a key ${kind} signs only in its own format and with its own algorithm`, async (t) => {
    const { environment, eve } = await eveEnvironment(t, {}, kind)
    const isEcdsa = kind !== 'ed25519'
    const prepared = await environment.prepare(eve.party, createPing(eve))
    const good = signatureOf(eve, prepared)['signatures']
    const [signature] = Array.isArray(good) && isJsonObject(good[0] ?? null) ? [good[0] as JsonObject] : [{}] // checked before
    const bytes = Buffer.from(String(signature['signature']), 'base64')
    const attempt = async (changes: JsonObject) =>
      outcomeOf(
        await execute(
          environment,
          execution(prepared, [{ party: eve.party, signatures: [{ ...signature, ...changes }] }]),
        ),
      )
    for (const format of signatureFormats.slice(2)) {
      if (format !== signature['format']) t.equal(await attempt({ format }), refused, format)
    }
    t.equal(await attempt({ format: signatureFormats[0] }), '400 INVALID_FIELD')
    for (const signingAlgorithmSpec of signingAlgorithms.slice(1)) {
      if (signingAlgorithmSpec === signature['signingAlgorithmSpec']) continue
      t.equal(await attempt({ signingAlgorithmSpec }), refused, signingAlgorithmSpec)
    }
    const [key = makeSigningKey(kind)] = eve.keys
    const hash = hashOf(prepared)
    const [another] = [key.sign(Buffer.concat([Buffer.from([0x12, 0x20]), hash]))]
    const wrong: [title: string, bytes: Buffer | undefined][] = [
      ...['flip-first', 'flip-middle', 'flip-last', 'cut', 'extend', 'zero'].map(
        (how): [string, Buffer | undefined] => [how, damage(bytes, how)],
      ),
      ['empty', Buffer.alloc(0)],
      ['over the multihash form of the hash', Buffer.from(String(another['signature']), 'base64')],
      ['by another key', Buffer.from(String(makeSigningKey(kind).sign(hash)['signature']), 'base64')],
      [
        'by the other digest',
        isEcdsa
          ? Buffer.from(String(key.sign(hash, kind === 'p384' ? 'sha256' : 'sha384')['signature']), 'base64')
          : Buffer.alloc(64),
      ],
      ['s with the order added', isEcdsa ? ecdsaForm(bytes, kind, 's-plus-order') : ed25519PlusOrder(bytes)],
      ...(isEcdsa ? ['zero-r-and-s', 'trailing-byte', 'leading-zero'] : []).map(
        (form): [string, Buffer | undefined] => [form, ecdsaForm(bytes, kind, form)],
      ),
    ]
    for (const [title, spoilt] of wrong) {
      t.equal(await attempt({ signature: spoilt?.toString('base64') ?? null }), refused, title)
    }
    t.equal(await attempt({ signedBy: makeSigningKey(kind).fingerprint }), refused, 'an unregistered key')
    t.equal(await attempt({}), 200, 'rejections do not consume the transaction')
    const next = await environment.prepare(eve.party, createPing(eve))
    const raw = key.sign(hashOf(next))
    const negated = isEcdsa ? ecdsaForm(Buffer.from(String(raw['signature']), 'base64'), kind, 'negated-s') : undefined
    const request = execution(next, [
      {
        party: eve.party,
        signatures: [
          { ...raw, format: 'SIGNATURE_FORMAT_RAW', ...(negated && { signature: negated.toString('base64') }) },
        ],
      },
    ])
    t.equal(
      outcomeOf(await execute(environment, request)),
      200,
      'RAW is an older name of the format, and n - s is valid too',
    )
  })
}

t.test('the hash has the named scheme; protocol version 34 supports only V2', async (t) => {
  for (const protocolVersion of [34, 35] as const) {
    const { environment, eve } = await eveEnvironment(t, { protocolVersion })
    const prepared = await environment.prepare(eve.party, createPing(eve))
    const v3 = signatureOf(eve, prepared, 'V3')
    const named = { hashingSchemeVersion: 'HASHING_SCHEME_VERSION_V3' }
    for (const path of paths) {
      t.equal(outcomeOf(await execute(environment, execution(prepared, [v3]), path)), refused, 'V2 named, V3 signed')
      t.equal(
        outcomeOf(await execute(environment, execution(prepared, [eve], named), path)),
        refused,
        'V3 named, V2 signed',
      )
    }
    t.equal(
      outcomeOf(await execute(environment, execution(prepared, [v3], named))),
      protocolVersion === 35 ? 200 : refused,
    )
  }
})

t.test('a party with three keys and the threshold two needs two valid signatures', async (t) => {
  for (const protocolVersion of [34, 35] as const) {
    const environment = await externalEnvironment(t, { protocolVersion })
    const keys = (['ed25519', 'p256', 'secp256k1'] as const).map(makeSigningKey)
    const eve = await environment.onboard('eve', keys, 2)
    const later = protocolVersion === 35 ? refused : 200
    const good =
      (...chosen: number[]) =>
      (hash: Buffer) =>
        chosen.flatMap((index) => keys[index]?.sign(hash) ?? [])
    const bad = (index: number) => () => keys[index]?.sign(Buffer.alloc(32)) ?? {}
    const attempts: [
      title: string,
      signatures: ((hash: Buffer) => JsonValue[] | JsonValue)[],
      expected: number | string,
    ][] = [
      ['one', [good(0)], refused],
      ['two', [good(0, 2)], 200],
      ['the same twice', [good(1, 1)], refused],
      ['three', [good(0, 1, 2)], 200],
      ['two valid and one invalid', [good(0, 1), bad(2)], 200],
      ['one valid and one invalid', [good(0), bad(1)], refused],
      ['one valid and one of an unregistered key', [good(0), (hash) => makeSigningKey('p256').sign(hash)], refused],
      ['two valid and one of an unregistered key', [good(0, 1), (hash) => makeSigningKey('p256').sign(hash)], 200],
      ['four entries', [good(0, 1, 2, 0)], later],
    ]
    for (const [title, given, expected] of attempts) {
      for (const path of [waitPath, executePath]) {
        const prepared = await environment.prepare(eve.party, createPing(eve))
        const hash = hashOf(prepared)
        const signatures = given.flatMap((sign) => sign(hash))
        const request = execution(prepared, [{ party: eve.party, signatures }])
        t.equal(
          outcomeOf(await execute(environment, request, path)),
          expected,
          `${title}, protocol version ${protocolVersion}`,
        )
      }
    }
    const prepared = await environment.prepare(eve.party, createPing(eve))
    const entries = [0, 1].map((index) => ({ party: eve.party, signatures: good(index)(hashOf(prepared)) }))
    t.equal(outcomeOf(await execute(environment, execution(prepared, entries))), 200, 'an entry for each key')
  }
})

t.test('a party with an invalid threshold cannot be onboarded', async (t) => {
  const environment = await externalEnvironment(t)
  const keys = [makeSigningKey('ed25519'), makeSigningKey('p256')]
  for (const threshold of [0, 3]) {
    await t.rejects(
      environment.onboard('eve', keys, threshold),
      /a threshold of . does not fit 2 signing keys/,
      `threshold ${threshold}`,
    )
  }
})

t.test('an execution with too many signatures is rejected', async (t) => {
  const { environment, eve } = await eveEnvironment(t, { protocolVersion: 34 })
  const prepared = await environment.prepare(eve.party, createPing(eve))
  const [key = makeSigningKey('ed25519')] = eve.keys
  const many = (count: number) => ({ party: eve.party, signatures: Array(count).fill(key.sign(hashOf(prepared))) })
  t.equal(outcomeOf(await execute(environment, execution(prepared, [many(51)]), executePath)), refused)
  t.equal(outcomeOf(await execute(environment, execution(prepared, [many(1001)]), waitPath)), refused)
  t.equal(
    outcomeOf(await execute(environment, execution(prepared, [many(51)]), waitPath)),
    200,
    'the limit applies to one operation',
  )
})

t.test('a transaction that its signer changed is accepted only if it remains valid', async (t) => {
  const expected = {
    'canton-3.5': { signatory: '500 NA', 'missing node': '500 NA' },
    interface: { signatory: refused, 'missing node': refused },
  }
  for (const behaviour of ['canton-3.5', 'interface'] as const) {
    const { environment, eve } = await eveEnvironment(t, { behaviour })
    const create0 = 'transaction.nodes.v1.create'
    const attempts: [title: string, changes: Record<string, JsonValue>, outcome: number | string][] = [
      ['nothing', {}, 200],
      ['the command id', { set: { 'metadata.submitter_info.command_id': 'another' } }, 200],
      ['the argument', { set: { [`${create0}.argument.record.fields.value.text`]: 'changed' } }, 200],
      ['the UUID', { set: { 'metadata.transaction_uuid': '4c6471d3-4e09-49dd-addf-6cd90e19c583' } }, 200],
      [
        'the UUID once more',
        { set: { 'metadata.transaction_uuid': '4C6471D3-4e09-49dd-addf-6cd90e19c583' } },
        '400 DUPLICATE_CONFIRMATION_REQUEST_UUID',
      ],
      ['the preparation time by 25 hours', { add: { 'metadata.preparation_time': -90_000_000_000 } }, '400 NA'],
      ['the preparation time by a microsecond', { add: { 'metadata.preparation_time': 1 } }, '400 NA'],
      ['the contract id', { set: { [`${create0}.contract_id`]: `00${'ab'.repeat(32)}` } }, '400 NA'],
      [
        'the seed',
        { 'set-bytes': { 'transaction.node_seeds.seed': Buffer.alloc(32, 7).toString('base64') } },
        '400 NA',
      ],
      ['a stakeholder', { append: { [`${create0}.stakeholders`]: environment.bob } }, '400 NA'],
      ['the package name', { set: { [`${create0}.package_name`]: 'another' } }, '400 NA'],
      ['the mediator', { set: { 'metadata.mediator_group': 3 } }, '404 SYNCHRONIZER_WITHOUT_MEDIATOR'],
      [
        'the largest mediator',
        { set: { 'metadata.mediator_group': 4_294_967_295 } },
        '404 SYNCHRONIZER_WITHOUT_MEDIATOR',
      ],
      ['a signatory', { set: { [`${create0}.signatories`]: environment.bob } }, expected[behaviour].signatory],
      ['a root that is no node', { set: { 'transaction.roots': '7' } }, expected[behaviour]['missing node']],
      ['no seed', { 'remove-all': { 'transaction.node_seeds': true } }, refused],
      ['the synchronizer', { set: { 'metadata.synchronizer_id': `other::1220${'ab'.repeat(32)}` } }, refused],
    ]
    for (const [title, changes, outcome] of attempts) {
      const prepared = altered(await environment.prepare(eve.party, createPing(eve)), changes)
      const anySignature = { party: eve.party, signatures: eve.keys.map((key) => key.sign(Buffer.alloc(32))) }
      const signed = title === 'a root that is no node' || title === 'no seed' ? anySignature : eve
      t.equal(outcomeOf(await execute(environment, execution(prepared, [signed]))), outcome, `${behaviour}: ${title}`)
    }
  }
})

t.test('a signed transaction with another description of its input contract is rejected', async (t) => {
  const { environment, eve } = await eveEnvironment(t)
  const created = await execute(
    environment,
    execution(await environment.prepare(eve.party, createPing(eve)), [eve]),
    transactionPath,
  )
  const contractId = String(at(created.json(), '/transaction/events/0/CreatedEvent/contractId'))
  const archive = { ExerciseCommand: { templateId: ping, contractId, choice: 'Archive', choiceArgument: {} } }
  const prepare = () => environment.prepare(eve.party, archive)
  const input = 'metadata.input_contracts.v1'
  for (const [field, value] of Object.entries({
    [`${input}.argument.record.fields.value.text`]: 'another',
    [`${input}.package_name`]: 'another',
    [`${input}.signatories`]: environment.bob,
    [`${input}.template_id.entity_name`]: 'Pong',
  })) {
    const described = altered(await prepare(), { set: { [field]: value } })
    t.equal(outcomeOf(await execute(environment, execution(described, [eve]))), '400 NA', field)
  }
  const later = altered(await prepare(), { add: { 'metadata.input_contracts.created_at': 1 } })
  t.equal(outcomeOf(await execute(environment, execution(later, [eve]))), '400 NA', 'the time of its creation')
  const forged = reworked(await prepare(), ({ metadata: { inputContracts } }) => ({
    metadata: { inputContracts: inputContracts.map(forgedInput) },
  }))
  t.equal(outcomeOf(await execute(environment, execution(forged, [eve]))), '400 NA', 'with a matching blob')
  t.equal(outcomeOf(await execute(environment, execution(await prepare(), [eve]))), 200)
})

function forgedInput(input: InputContract): InputContract {
  const fields = (argument: DamlRecord): DamlRecord['fields'] =>
    argument.fields.map(([label, value]) => [label, label === 'id' ? { kind: 'text', value: 'forged' } : value])
  const contract = decodeBlob(input.eventBlob, new PackageStore([builtInPackage]))
  const { argument } = input.contract
  if (argument.kind !== 'record') throw new Error('the argument of a contract is a record')
  const eventBlob = encodeBlob({ ...contract, argument: { ...contract.argument, fields: fields(contract.argument) } })
  return { ...input, eventBlob, contract: { ...input.contract, argument: { ...argument, fields: fields(argument) } } }
}

t.test('a transaction of two acting parties needs the signatures of both', async (t) => {
  for (const behaviour of ['canton-3.5', 'interface'] as const) {
    const environment = await externalEnvironment(t, { behaviour })
    await uploadPackages(environment.wire)
    const eve = await environment.onboard('eve', [makeSigningKey('ed25519')])
    const pat = await environment.onboard('pat', [makeSigningKey('p256')])
    const createArguments = { first: eve.party, second: pat.party, observers: [] }
    const joint = { CreateCommand: { templateId: '#conformance-model:Conformance:Joint', createArguments } }
    const attempt = async (signers: (prepared: Buffer) => JsonObject[], path: string) => {
      const prepared = await environment.prepare([eve.party, pat.party], joint)
      return outcomeOf(await execute(environment, execution(prepared, signers(prepared)), path))
    }
    for (const path of paths) {
      t.equal(await attempt((bytes) => [signatureOf(eve, bytes)], path), refused, 'one signature is missing')
      const twice = (bytes: Buffer) => [signatureOf(eve, bytes), { ...signatureOf(eve, bytes), party: pat.party }]
      t.equal(await attempt(twice, path), refused, 'one has signed for both')
      const both = await attempt((bytes) => [signatureOf(eve, bytes), signatureOf(pat, bytes)], path)
      t.equal(both, behaviour === 'canton-3.5' ? 200 : refused, `both have signed: ${behaviour}`)
    }
  }
})

t.test('entries besides a valid signature are ignored, and do not replace it', async (t) => {
  const { environment, eve } = await eveEnvironment(t)
  const pat = await environment.onboard('pat', [makeSigningKey('p256')])
  const others = (bytes: Buffer): [string, JsonObject[]][] => [
    ['another party too', [signatureOf(eve, bytes), signatureOf(pat, bytes)]],
    ['a local party too', [signatureOf(eve, bytes), { ...signatureOf(pat, bytes), party: environment.alice }]],
    ['an empty entry too', [{ party: eve.party, signatures: [] }, signatureOf(eve, bytes)]],
    ['its own entry twice', [signatureOf(eve, bytes), signatureOf(eve, bytes)]],
  ]
  for (const index of [0, 1, 2, 3]) {
    const prepared = await environment.prepare(eve.party, createPing(eve))
    const [title, entries] = others(prepared)[index] ?? ['', []]
    t.equal(outcomeOf(await execute(environment, execution(prepared, entries))), 200, title)
  }
  const prepared = await environment.prepare(eve.party, createPing(eve))
  const useless: [string, JsonObject[]][] = [
    ['no party', []],
    ['another party alone', [signatureOf(pat, prepared)]],
    ['another key under its name', [{ ...signatureOf(pat, prepared), party: eve.party }]],
    ['an empty entry', [{ party: eve.party, signatures: [] }]],
  ]
  for (const [title, entries] of useless) {
    for (const path of paths)
      t.equal(outcomeOf(await execute(environment, execution(prepared, entries), path)), refused, title)
  }
  const local = await environment.prepare(environment.alice, createPing({ party: environment.alice, keys: [] }))
  const asAlice = { ...signatureOf(eve, local), party: environment.alice }
  t.equal(outcomeOf(await execute(environment, execution(local, [asAlice]))), refused, 'a local party has no keys')
})

t.test('contracts with keys need scheme V3, also for exercises by key', async (t) => {
  const { environment, eve } = await eveEnvironment(t)
  await uploadPackages(environment.wire)
  const templateId = '#conformance-model-keys:ConformanceKeys:Keyed'
  const createArguments = { owner: eve.party, observers: [], id: 'k', text: 'found' }
  const contractKey = { owner: eve.party, id: 'k' }
  const read = { ExerciseByKeyCommand: { templateId, contractKey, choice: 'Read', choiceArgument: {} } }
  const rekey = { ExerciseByKeyCommand: { templateId, contractKey, choice: 'Rekey', choiceArgument: { id: 'l' } } }
  const hashingSchemeVersion = 'HASHING_SCHEME_VERSION_V3'
  for (const command of [{ CreateCommand: { templateId, createArguments } }, read, rekey]) {
    const prepared = await environment.prepare(eve.party, command, { hashingSchemeVersion })
    const v2 = { party: eve.party, signatures: eve.keys.map((key) => key.sign(Buffer.alloc(32))) }
    t.equal(outcomeOf(await execute(environment, execution(prepared, [v2]))), refused, 'V2 does not cover keys')
    const request = execution(prepared, [signatureOf(eve, prepared, 'V3')], { hashingSchemeVersion })
    t.equal(outcomeOf(await execute(environment, request)), 200, Object.keys(command).join())
  }
  const late = await t.rejects(environment.prepare(eve.party, read, { hashingSchemeVersion }), /CONTRACT_KEY_NOT_FOUND/)
  t.ok(late)
})

t.test('a contract is exercised with a later version of its template', async (t) => {
  const { environment, eve } = await eveEnvironment(t)
  await uploadPackages(environment.wire)
  const [old, name] = ['a48fb23da26f027e79f2461e63672d9ddf2e97deff43a50e101a680054f75652', '#conformance-upgrade'].map(
    (id) => `${id}:ConformanceUpgrade:Upgradable`,
  )
  const createArguments = { owner: eve.party, text: 't' }
  const made = await environment.prepare(eve.party, { CreateCommand: { templateId: old ?? '', createArguments } })
  const created = await execute(environment, execution(made, [eve]), transactionPath)
  const contractId = String(at(created.json(), '/transaction/events/0/CreatedEvent/contractId'))
  const command = { templateId: name ?? '', contractId, choice: 'Read', choiceArgument: {} }
  const prepared = await environment.prepare(eve.party, { ExerciseCommand: command })
  const transactionFormat = {
    eventFormat: { filtersByParty: { [eve.party]: {} }, verbose: true },
    transactionShape: 'TRANSACTION_SHAPE_LEDGER_EFFECTS',
  }
  const answer = objectIn(
    await execute(environment, execution(prepared, [eve], { transactionFormat }), transactionPath),
  )
  const event = at(answer, '/transaction/events/0/ExercisedEvent') ?? {}
  t.match(event, { exerciseResult: '1.1.0: t', contractId }, 'the later version is executed')
  t.not(at(event, '/templateId'), old, 'the template is that of the later version')
})
