/** Prepared transactions: decoding, encoding and recorded hashes. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import t from 'tap'
import type { DamlValue } from '../../../interface/daml-value.js'
import { decodePreparedTransaction, encodePreparedTransaction } from '../../../interface/prepared-transaction/codec.js'
import { hashPreparedTransaction } from '../../../interface/prepared-transaction/hash.js'
import {
  encodeValue,
  type HashingScheme,
  hashingSchemes,
} from '../../../interface/prepared-transaction/hash-encoding.js'
import { encodeCreate, encodeNode } from '../../../interface/prepared-transaction/node-hash.js'
import { normalisePreparedTransaction } from '../../../interface/prepared-transaction/normalise.js'
import { value as valueMessage } from '../../../interface/prepared-transaction/value-codec.js'
import {
  bytesField,
  fixed64Field,
  ProtobufError,
  readMessage,
  signedField,
  unzigzag,
  varintField,
} from '../../../lib/protobuf/protobuf.js'
import { MissingPartError } from '../../../lib/protobuf/protobuf-message.js'
import fc from '../../support/records/properties.js'
import { contractIds, preparedSample, queryByKey, templateId, text } from '../../support/replay/prepared-sample.js'
import { vectors } from '../../support/replay/recorded-vectors.js'
import { anyNode, anyValue } from './any-prepared.js'

const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../../../test/recordings/${name}`, import.meta.url), 'utf8'))

const reference = read('reference-hashes.json') as Record<
  HashingScheme,
  { bytes: string; hashes: Record<string, string> }
> // our own data, in this form

const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest()

const schemes: readonly HashingScheme[] = ['V2', 'V3']

t.test('recorded prepared transactions are read, written and hashed like the participant', async (t) => {
  for (const { note, protocolVersion, scheme, ...expected } of vectors) {
    t.test(`${note}, ${scheme} on ${protocolVersion}`, async (t) => {
      const bytes = Buffer.from(expected.preparedTransaction, 'base64')
      const prepared = decodePreparedTransaction(bytes)
      const hash = hashPreparedTransaction(prepared, scheme === 'HASHING_SCHEME_VERSION_V3' ? 'V3' : 'V2')
      t.equal(hash.toString('base64'), expected.preparedTransactionHash)
      t.equal(hash.toString('hex'), expected.externalTransactionHash)
      t.ok(encodePreparedTransaction(prepared).equals(bytes), 'the same bytes')
      t.ok(isDeepStrictEqual(normalisePreparedTransaction(prepared), prepared), 'already in order')
    })
  }
  t.equal(vectors.length, 31)
})

for (const scheme of schemes) {
  const { bytes, hashes } = reference[scheme]
  const { transaction, metadata } = preparedSample(scheme)

  t.test(`the hashes equal those of the reference implementation's tests, scheme ${scheme}`, async (t) => {
    const nodes = new Map(transaction.nodes.map(({ nodeId, node }) => [nodeId, node]))
    const seeds = new Map(transaction.nodeSeeds.map(({ nodeId, seed }) => [String(nodeId), seed]))
    const rules = hashingSchemes[scheme]
    const hashOf = (nodeId: string): Buffer => {
      const node = nodes.get(nodeId) ?? queryByKey // which is none of the sample's nodes
      const seed = () => seeds.get(nodeId) ?? Buffer.alloc(0)
      return sha256(encodeNode(node, rules, { name: () => `node ${nodeId}`, seed, childHash: hashOf }))
    }
    const found = new Map([...nodes.keys()].map((nodeId) => [`node ${nodeId}`, hashOf(nodeId)]))
    if (scheme === 'V3') found.set('query by key', hashOf('6'))
    for (const [index, { contract }] of metadata.inputContracts.entries()) {
      const what = `input contract ${index + 1}`
      found.set(what, sha256(encodeCreate(contract, rules, { name: () => what })))
    }
    found.set('final', hashPreparedTransaction({ transaction, metadata }, scheme))
    // The final hash covers both.
    const { transaction: _, metadata: __, ...expectedHashes } = hashes
    for (const [what, expected] of Object.entries(expectedHashes))
      t.equal(found.get(what)?.toString('hex'), expected, what)
  })

  t.test(`their serialized form is written and read, scheme ${scheme}`, async (t) => {
    t.equal(encodePreparedTransaction({ transaction, metadata }).toString('base64'), bytes)
    t.ok(isDeepStrictEqual(decodePreparedTransaction(Buffer.from(bytes, 'base64')), { transaction, metadata }))
  })
}

t.test('values are hashed as in the tests of the reference implementation', async (t) => {
  const int64 = (value: bigint): DamlValue => ({ kind: 'int64', value })
  const bool = (value: boolean): DamlValue => ({ kind: 'bool', value })
  const id = templateId
  const vectors: [DamlValue, string][] = [
    [{ kind: 'unit' }, '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d'],
    [bool(true), '9dcf97a184f32623d11a73124ceb99a5709b083721e878a16d78f596718ba7b2'],
    [bool(false), '47dc540c94ceb704a23875c11273e16bb0b8a87aed84de911f2133568115f254'],
    [text('hello world!'), 'a24821b4741b3616920a37dfccf3b1e271184c82fc89377ab22e5d96d9330e5c'],
    [{ kind: 'numeric', value: '125.1002' }, 'fd23ea3b05b8b0e1d15902cccf7c6c0e6e292f0ae3e96513c8d8cec9d4f9bda9'],
    [{ kind: 'contractId', value: contractIds[1] }, '6a3e241cebc1dc5e7574be0cf122edc9cb65ffc3fa59fb069c5ab3bbb4598414'],
    [{ kind: 'enum', id, constructor: 'ENUM' }, '9c8f627c22d6871e111e1f5d1980a6a24bcc6311bbc73fd3932a4d79fa9c09f2'],
    [int64(10n), 'a74730eb88baf5118934d3675ccf50eac1e4e873000ecd75b5917c78ee30ef26'],
    [
      { kind: 'variant', id, constructor: 'ENUM', value: bool(true) },
      'bceee77c48d80db35f237c3877c6711db19a8c135d2d0323c21f01afc2eb7612',
    ],
    [
      { kind: 'list', items: [text('five'), int64(5n), bool(true)] },
      '6049408351d7be2c9d6ae7a1beecf08676fa72955c376c89571a1c5f04f272bd',
    ],
    [
      {
        kind: 'textMap',
        entries: [
          ['bar', text('1284')],
          ['foo', { kind: 'numeric', value: '31380.0' }],
        ],
      },
      'b318100aac8cde766598a0a5bc05451feaec7c90400f75de93100d0c87ec24cf',
    ],
    [
      {
        kind: 'genMap',
        entries: [
          [int64(5n), text('five')],
          [int64(10n), text('ten')],
        ],
      },
      '523c5247ed42efa40dd6b0165a01c1b14dcede7b39a1f33a3590fc7defc4a610',
    ],
    [{ kind: 'optional', value: undefined }, 'a2c4aed1cf757cd9a509734a267ffc7b1166b55f4c8f9c3e3550c56e743328fc'],
    [{ kind: 'optional', value: text('hello') }, 'dfba7295cf094b6b3ffdf3e44411793264882b38c810f9dff63148890a466171'],
    [
      { kind: 'timestamp', value: 1_729_788_226_000_000n },
      '18efa9ad9adfa83fc3e84cdbe9c4b9f0e7305376e858e5bd909117209111c9d5',
    ],
    [{ kind: 'date', value: 20020 }, '6892b74f329df4e0fd850c0e4d35384d3a4aef0a2f0f32070172c1f121ff632f'],
    [
      {
        kind: 'record',
        id,
        fields: [
          ['field1', bool(true)],
          ['field2', text('hello')],
        ],
      },
      'ae594f7684700c299af9bc0b83758f2d71836ae6d9ea628d310f0305698df6f2',
    ],
  ]
  for (const [value, expected] of vectors) t.equal(sha256(encodeValue(value)).toString('hex'), expected, value.kind)
})

const readValue = (...fields: Buffer[]): DamlValue => valueMessage.fromWire(Buffer.concat(fields), 0)

t.test('any value and node is read as written', async (t) => {
  const empty = decodePreparedTransaction(Buffer.alloc(0))
  fc.assert(
    fc.property(anyValue, (value) => isDeepStrictEqual(readValue(valueMessage.toWire(value)), value)),
    { numRuns: 500 },
  )
  fc.assert(
    fc.property(anyNode, (node) => {
      const prepared = { ...empty, transaction: { ...empty.transaction, nodes: [{ nodeId: '0', node }] } }
      return isDeepStrictEqual(decodePreparedTransaction(encodePreparedTransaction(prepared)), prepared)
    }),
    { numRuns: 300 },
  )
  t.pass('no counterexample')
})

t.test('empty bytes are an empty prepared transaction, and vice versa', async (t) => {
  const nothing = decodePreparedTransaction(Buffer.alloc(0))
  t.same(nothing.transaction, { version: '', roots: [], nodes: [], nodeSeeds: [] })
  t.equal(nothing.metadata.synchronizerId, '')
  t.equal(nothing.metadata.maxRecordTime, undefined)
  t.equal(encodePreparedTransaction(nothing).length, 0)
})

t.test('unsigned numbers include their bounds', async (t) => {
  const { transaction, metadata } = preparedSample('V2')
  const largest = { ...metadata, mediatorGroup: 2 ** 32 - 1, preparationTime: 2n ** 64n - 1n }
  const read = decodePreparedTransaction(encodePreparedTransaction({ transaction, metadata: largest }))
  t.ok(isDeepStrictEqual(read.metadata, largest))
  t.equal(hashPreparedTransaction(read, 'V2').length, 32)
})

t.test('repeated, unknown and wrongly typed fields are read as in protobuf', async (t) => {
  const sample = preparedSample('V3')
  const nothing = decodePreparedTransaction(Buffer.alloc(0))
  const { submitterInfo } = sample.metadata
  const halves = [
    { ...nothing, metadata: { ...nothing.metadata, submitterInfo, synchronizerId: 'replaced' } },
    { ...sample, metadata: { ...sample.metadata, submitterInfo: nothing.metadata.submitterInfo } },
  ]
  const merged = decodePreparedTransaction(Buffer.concat(halves.map(encodePreparedTransaction)))
  t.ok(isDeepStrictEqual(merged, sample))

  const unknown = [bytesField(77, 'a'), varintField(2, 5n), fixed64Field(1, 5n)]
  const surrounded = Buffer.concat([...unknown, encodePreparedTransaction(sample), ...unknown])
  t.ok(isDeepStrictEqual(decodePreparedTransaction(surrounded), sample))

  t.same(readValue(bytesField(8, 'a'), varintField(3, 4n)), { kind: 'int64', value: 2n })
  t.same(readValue(bytesField(8, 'a'), bytesField(8, 'b'), varintField(9, 4n)), text('b'))
  const item = (value: DamlValue) => bytesField(11, bytesField(1, valueMessage.toWire(value)))
  t.same(readValue(item(text('a')), item(text('b'))), { kind: 'list', items: [text('a'), text('b')] })
  t.same(readValue(item(text('a')), bytesField(8, 'x'), item(text('b'))), { kind: 'list', items: [text('b')] })
})

t.test('bytes without a prepared transaction are rejected', async (t) => {
  t.throws(() => decodePreparedTransaction(Buffer.from('ffffffff', 'hex')), ProtobufError)
  t.throws(() => readValue(bytesField(8, Buffer.from([0xc3, 0x28]))), { message: /a string that is not UTF-8/ })
  t.same(readValue(bytesField(8, '\ufeffa')), text('\ufeffa'), 'a byte order mark is text')
  t.throws(() => readValue(), { name: 'MissingPartError', message: /no Daml value is given/ })
  const bareNode = bytesField(1, bytesField(3, bytesField(1, '0')))
  t.throws(() => decodePreparedTransaction(bareNode), {
    name: 'MissingPartError',
    message: /no transaction node is given/,
  })
  const unknownNode = bytesField(1, bytesField(3, bytesField(1000, bytesField(9, ''))))
  t.throws(() => decodePreparedTransaction(unknownNode), MissingPartError)
})

t.test('values nest as deep as Daml permits, without stack overflow', async (t) => {
  let deepest: DamlValue = { kind: 'unit' }
  for (let level = 0; level < 100; level += 1) deepest = { kind: 'record', id: templateId, fields: [['a', deepest]] }
  t.ok(isDeepStrictEqual(readValue(valueMessage.toWire(deepest)), deepest))
  t.ok(encodeValue(deepest).length > 100)
  let hostile = valueMessage.toWire({ kind: 'unit' })
  for (let level = 0; level < 5000; level += 1) hostile = bytesField(10, bytesField(1, hostile))
  t.throws(() => readValue(hostile), { name: 'ProtobufError', message: /nested deeper than 400/ })
})

t.test('fields of any number and size are read as written', (t) => {
  const number = fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 2 ** 29 - 1 }))
  const wide = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
  const bytes = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.nat(20_000).map((length) => 'x'.repeat(length)),
  )
  fc.assert(
    fc.property(number, wide, bytes, (field, value, text) => {
      const unsigned = BigInt.asUintN(64, value)
      t.strictSame(readMessage(varintField(field, value)), [{ number: field, wire: 'varint', value: unsigned }])
      t.strictSame(readMessage(fixed64Field(field, value)), [{ number: field, wire: 'fixed64', value: unsigned }])
      const content = Buffer.from(text)
      t.strictSame(readMessage(bytesField(field, text)), [{ number: field, wire: 'bytes', value: content }])
      t.strictSame(bytesField(field, content), bytesField(field, text))
      const [signed] = readMessage(signedField(field, value))
      t.ok(signed?.wire === 'varint' && unzigzag(signed.value) === value)
    }),
  )
  t.end()
})
