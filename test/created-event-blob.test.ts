import t from 'tap'
import { decodePreparedTransaction } from '../interface/prepared-transaction/codec.js'
import { packages } from '../model/packages.js'
import { decodeBlob, encodeBlob } from '../simulator/ledger/created-event-blob.js'
import { keyHash } from '../simulator/ledger/key-hash.js'
import { PackageStore } from '../simulator/ledger/package-store.js'
import { vectors } from './recorded-vectors.js'

const blobs = vectors.flatMap(({ note, protocolVersion, preparedTransaction }) => {
  const { metadata } = decodePreparedTransaction(Buffer.from(preparedTransaction, 'base64'))
  return (metadata?.inputContracts ?? []).map(({ eventBlob, contract }) => ({
    name: `${note}, protocol version ${protocolVersion}: ${contract.templateId.entity}`,
    bytes: Buffer.from(eventBlob),
    key: contract.key?.key.hash,
    signatories: contract.signatories,
    // What the participant says beside the blob. The last field of one template is empty, and left out.
    fields: contract.argument.kind === 'record' ? contract.argument.fields : [],
  }))
})

t.test('a blob of a live participant is read, and written again in the very same bytes', async (t) => {
  const store = new PackageStore(packages)
  t.ok(blobs.length > 10 && blobs.some(({ key }) => key !== undefined), 'there are some, one with a key')
  for (const { name, bytes, key, signatories, fields } of blobs) {
    const contract = decodeBlob(bytes, store)
    t.strictSame(contract.signatories, signatories, `${name}: who signed`)
    t.strictSame(contract.argument.fields.slice(0, fields.length), fields, `${name}: what it holds`)
    const written = encodeBlob(contract).toString('hex')
    // How a participant hashes keys is its own business.
    const own = contract.key && keyHash(contract, contract.key).toString('hex')
    t.equal(key && own ? written.replace(own, Buffer.from(key).toString('hex')) : written, bytes.toString('hex'), name)
  }
})
