/** Archives with two standard libraries of one name and version, as two generations of the compiler leave them. */
import { createHash } from 'node:crypto'
import { unzipSync, zipSync } from 'fflate'
import t from 'tap'
import { bytesField, varintField } from '../../lib/protobuf/protobuf.js'
import { seen } from '../support/ledgers/guarded-environment.js'
import { createCommand, createdIn, exerciseCommand, submit } from '../support/ledgers/model-calls.js'
import { readPackage } from '../support/ledgers/model-packages.js'
import { simulatorEnvironment } from '../support/ledgers/simulator-environment.js'

/** A package without modules. `more`: a string that no part uses, for another id. */
function library(name: string, more: string): Buffer {
  const strings = [name, '0.0.0', more].map((text) => bytesField(2, text))
  const metadata = Buffer.concat([varintField(1, 0n), varintField(2, 1n)])
  const content = Buffer.concat([...strings, bytesField(4, metadata)])
  const payload = Buffer.concat([bytesField(3, '1'), bytesField(4, content)])
  return Buffer.concat([bytesField(3, payload), bytesField(4, createHash('sha256').update(payload).digest('hex'))])
}

function withLibraries(dar: Uint8Array): Buffer {
  const entries = unzipSync(dar)
  const [main = ''] = Object.keys(entries).filter((name) => name.endsWith('.dalf'))
  const names = ['daml-prim-old.dalf', 'daml-prim-new.dalf']
  const manifest = [
    'Manifest-Version: 1.0',
    `Main-Dalf: ${main}`,
    `Dalfs: ${[main, ...names].join(', ')}`,
    'Format: daml-lf',
    'Encryption: non-encrypted',
    '',
  ].join('\n')
  const libraries = Object.fromEntries(names.map((name) => [name, library('daml-prim', name)]))
  return Buffer.from(
    zipSync({ 'META-INF/MANIFEST.MF': Buffer.from(manifest), [main]: entries[main] ?? Buffer.alloc(0), ...libraries }),
  )
}

t.test('the packages of an archive with two standard libraries can be used', async (t) => {
  const environment = await simulatorEnvironment(t)
  const { wire, alice, synchronizer } = environment
  const body = withLibraries(readPackage('conformance-model-1.0.0.dar'))
  for (const time of ['first', 'second'])
    t.equal((await wire.send({ path: '/v2/dars', body })).status, 200, `the ${time} upload`)
  const template = '#conformance-model:Conformance:Guarded'
  const created = await submit(environment, alice, createCommand(template, { owner: alice, amount: '3' }))
  const spent = exerciseCommand(template, createdIn(created).contractId, 'Spend', { amount: '1' })
  t.equal((await submit(environment, alice, spent)).code, '200')
  const packages = [{ packageId: '', packageName: 'daml-prim', packageVersion: '' }]
  const vet = async (kind: 'Vet' | 'Unvet') => {
    const operation = { [kind]: { value: { packages, newValidFromInclusive: null, newValidUntilExclusive: null } } }
    const request = { changes: [{ operation }], dryRun: true, synchronizerId: synchronizer }
    return seen(await wire.post('/v2/package-vetting/update', request))
  }
  t.equal(await vet('Vet'), '400 AMBIGUOUS_VETTING_REFERENCE')
  t.equal(await vet('Unvet'), 200)
})
