/** Blobs of created events. */
import { deepStrictEqual } from 'node:assert/strict'
import t from 'tap'
import type { DamlType } from '../../../daml/schema/schema.js'
import type { DamlValue } from '../../../interface/daml-value.js'
import { decodePreparedTransaction } from '../../../interface/prepared-transaction/codec.js'
import { keyHash } from '../../../simulator/ledger/contracts/contract.js'
import { decodeBlob, encodeBlob } from '../../../simulator/ledger/contracts/created-event-blob.js'
import { decodeLfValue, encodeLfValue } from '../../../simulator/ledger/contracts/lf-value.js'
import { PreparedIds } from '../../../simulator/ledger/transactions/prepared-nodes.js'
import { anyValue } from '../../support/ledgers/any-daml-value.js'
import { modelStore, packages } from '../../support/ledgers/model-packages.js'
import fc from '../../support/records/properties.js'
import { vectors } from '../../support/replay/recorded-vectors.js'

const blobs = vectors.flatMap(({ note, protocolVersion, preparedTransaction }) => {
  const { metadata } = decodePreparedTransaction(Buffer.from(preparedTransaction, 'base64'))
  return (metadata?.inputContracts ?? []).map(({ eventBlob, contract }) => ({
    name: `${note}, protocol version ${protocolVersion}: ${contract.templateId.entity}`,
    bytes: Buffer.from(eventBlob),
    key: contract.key?.key.hash,
    signatories: contract.signatories,
    // The participant omits the empty last field of one template.
    fields: contract.argument.kind === 'record' ? contract.argument.fields : [],
  }))
})

t.test('blobs of a live participant decode and encode to the same bytes', async (t) => {
  const store = modelStore
  t.ok(blobs.length > 10 && blobs.some(({ key }) => key !== undefined), 'the vectors contain blobs, one with a key')
  for (const { name, bytes, key, signatories, fields } of blobs) {
    const contract = decodeBlob(bytes, store)
    t.strictSame(contract.signatories, signatories, `${name}: who signed`)
    t.strictSame(contract.argument.fields.slice(0, fields.length), fields, `${name}: arguments`)
    const written = encodeBlob(contract).toString('hex')
    // Each participant hashes keys in its own format.
    const own = contract.key && keyHash(contract, contract.key).toString('hex')
    t.equal(key && own ? written.replace(own, Buffer.from(key).toString('hex')) : written, bytes.toString('hex'), name)
  }
})

t.test('each value decodes as encoded, also without the empty fields at the end of records', (t) => {
  const argument = packages.flatMap(({ templates }) => templates).find(({ id }) => id.entity === 'AllTypes')?.argument
  if (!argument) throw new Error('no template AllTypes')
  let shortened = 0
  fc.assert(
    fc.property(anyValue(argument), (value) => {
      const written = encodeLfValue(value)
      deepStrictEqual(decodeLfValue(argument, written), value)
      const shown = new PreparedIds(new Set()).value(value)
      deepStrictEqual(encodeLfValue(shown), written)
      if (shown.kind === 'record' && shown.fields.length < argument.fields.length) shortened += 1
    }),
    { numRuns: 300 },
  )
  t.ok(shortened > 0 && shortened < 300, 'some values end with an empty field, others do not')
  t.end()
})

t.test('a value with more than 100 levels is refused', (t) => {
  const nested = (levels: number): [DamlType, Buffer] => {
    let type: DamlType = { type: 'unit' }
    let value: DamlValue = { kind: 'unit' }
    for (let level = 0; level < levels; level += 1) {
      type = { type: 'optional', of: type }
      value = { kind: 'optional', value }
    }
    return [type, encodeLfValue(value)]
  }
  t.match(decodeLfValue(...nested(100)), { kind: 'optional' })
  t.throws(() => decodeLfValue(...nested(101)), /values nested too deep/)
  t.end()
})

t.test('a blob without contract id or package name is refused', (t) => {
  const contract = decodeBlob(blobs[0]?.bytes ?? Buffer.alloc(0), modelStore)
  for (const lost of [{ id: '' }, { packageName: '' }])
    t.throws(() => decodeBlob(encodeBlob({ ...contract, ...lost }), modelStore), /incomplete contract/)
  t.end()
})
