/** Reading DARs, and errors of invalid ones. */
import { createHash } from 'node:crypto'
import { zipSync } from 'fflate'
import t from 'tap'
import { readDar } from '../../daml/archive/dar.js'
import { ArchiveError } from '../../daml/decode/archive-error.js'
import { decodePackage } from '../../daml/decode/package.js'
import { bytesField, varintField } from '../../lib/protobuf/protobuf.js'
import { packagesIn, readPackage } from '../support/ledgers/model-packages.js'
import fc from '../support/records/properties.js'

const manifest = (main: string, all: string, format = 'daml-lf') =>
  Buffer.from(
    `Manifest-Version: 1.0\nMain-Dalf: ${main}\nDalfs: ${all}\nFormat: ${format}\nEncryption: non-encrypted\n`,
  )

function archive(payload: Buffer, hash = createHash('sha256').update(payload).digest('hex')): Buffer {
  return Buffer.concat([bytesField(3, payload), bytesField(4, hash)])
}

const payloadOf = (minor: string, content: Buffer) => Buffer.concat([bytesField(3, minor), bytesField(4, content)])

const darOf = (dalf: Buffer, more: Record<string, Uint8Array> = {}): Uint8Array =>
  zipSync({ 'META-INF/MANIFEST.MF': manifest('m.dalf', 'm.dalf'), 'm.dalf': dalf, ...more })

const refusal = (bytes: Uint8Array): ArchiveError => {
  try {
    const { main, dependencies } = readDar(bytes)
    for (const { packageId, language, package: content } of [main, ...dependencies]) {
      decodePackage(packageId, language, content)
    }
  } catch (error) {
    if (error instanceof ArchiveError) return error
    throw error
  }
  throw new Error('the DAR was taken')
}

t.test('a DAR contains its main package and its dependencies', (t) => {
  const [main, dependency] = packagesIn('conformance-dependent-1.0.0.dar')
  t.strictSame([main?.name, main?.version, main?.language], ['conformance-dependent', '1.0.0', '2.1'])
  t.strictSame(main?.content.dependencies, [dependency?.id])
  t.end()
})

t.test('an invalid DAR is rejected with its fault', (t) => {
  const package21 = payloadOf('1', Buffer.alloc(0))
  const cases: [what: string, bytes: Uint8Array, problem: string, message: RegExp][] = [
    ['nothing', Buffer.alloc(0), 'DAR', /not a readable zip file/],
    ['no manifest', zipSync({ a: Buffer.from('a') }), 'DAR', /no entry META-INF\/MANIFEST\.MF/],
    ['an empty manifest', zipSync({ 'META-INF/MANIFEST.MF': Buffer.alloc(0) }), 'DAR', /no attribute Main-Dalf/],
    ['a missing entry', zipSync({ 'META-INF/MANIFEST.MF': manifest('x.dalf', 'x.dalf') }), 'ENTRY', /no entry x\.dalf/],
    ['another format', zipSync({ 'META-INF/MANIFEST.MF': manifest('x', 'x', 'other') }), 'DAR', /format other/],
    ['half a zip file', readPackage('conformance-model-1.0.0.dar').subarray(0, 2000), 'ARCHIVE', /readable zip file/],
    ['another hash', darOf(archive(package21, 'ab'.repeat(32))), 'ARCHIVE', /states the hash/],
    ['no protobuf', darOf(Buffer.from('not protobuf at all')), 'ARCHIVE', /m\.dalf/],
    ['no payload', darOf(Buffer.alloc(0)), 'ARCHIVE', /contains no package/],
    ['Daml-LF 1', darOf(archive(bytesField(2, 'x'))), 'LANGUAGE_VERSION', /Daml-LF 1/],
    [
      'an unknown version',
      darOf(archive(payloadOf('dev', Buffer.alloc(0)))),
      'LANGUAGE_VERSION',
      /2\.dev; 2\.1, 2\.2 and 2\.3/,
    ],
    ['no metadata', darOf(archive(package21)), 'PACKAGE', /no metadata/],
    ['a DAR in a DAR', darOf(Buffer.from(readPackage('conformance-known-1.0.0-a.dar'))), 'ARCHIVE', /m\.dalf/],
  ]
  for (const [what, bytes, problem, message] of cases) {
    const found = refusal(bytes)
    t.equal(found.problem, problem, what)
    t.match(found.message, message, what)
  }
  t.end()
})

/** The size of each entry, as headers and directory of a zip file state it. */
function statingSize(zip: Uint8Array, bytes: number): Buffer {
  const found = Buffer.from(zip)
  for (let at = found.indexOf('PK'); at >= 0; at = found.indexOf('PK', at + 1)) {
    const head = found.readUInt16LE(at + 2)
    if (head === 0x0403) found.writeUInt32LE(bytes, at + 22)
    if (head === 0x0201) found.writeUInt32LE(bytes, at + 24)
  }
  return found
}

t.test('zip bombs are rejected before they are inflated', (t) => {
  const half = 32 * 1024 * 1024
  const two = zipSync({ a: new Uint8Array(1), b: new Uint8Array(1) })
  t.match(refusal(statingSize(two, half + 1)).message, /possible zip bomb/)
  t.match(refusal(statingSize(two, half)).message, /no entry/, 'the greatest size')
  const liar = statingSize(zipSync({ 'META-INF/MANIFEST.MF': new Uint8Array(1024 * 1024) }), 10)
  t.match(refusal(liar).problem, 'DAR')
  const many = Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`e${index}`, new Uint8Array(0)]))
  t.match(refusal(zipSync(many, { level: 0 })).message, /more than 10000 entries/)
  const expr = Array.from({ length: 1500 }).reduce<Buffer>(
    (inner) => bytesField(26, Buffer.concat([bytesField(1, bytesField(3, '')), bytesField(2, inner)])),
    varintField(5, 0n),
  )
  const content = Buffer.concat([
    bytesField(2, 'name'),
    bytesField(2, '1.0.0'),
    bytesField(4, varintField(2, 1n)),
    bytesField(7, expr),
  ])
  t.match(refusal(darOf(archive(payloadOf('1', content)))).message, /nested more than 1000 deep/)
  t.end()
})

t.test('damaged DARs are rejected with a message, or have the same main package', (t) => {
  const whole = readPackage('conformance-effects-1.0.0.dar')
  const [first] = packagesIn('conformance-effects-1.0.0.dar')
  let [refused, cuts] = [0, 0]
  fc.assert(
    fc.property(fc.nat(whole.length - 1), fc.nat(7), fc.boolean(), (at, bit, cut) => {
      const damaged = Buffer.from(cut ? whole.subarray(0, at) : whole)
      if (cut) cuts += 1
      else damaged.writeUInt8(damaged.readUInt8(at) ^ (1 << bit), at)
      try {
        t.equal(readDar(damaged).main.packageId, first?.id)
      } catch (error) {
        if (!(error instanceof ArchiveError)) throw error
        t.match(error.message, /\w+ \w+ \w+/)
        refused += 1
      }
    }),
    { numRuns: 60 },
  )
  t.ok(refused >= cuts, `${refused} rejected, ${cuts} cut`)
  t.end()
})

t.test('a damaged package with a correct hash is rejected, or read', (t) => {
  const { main } = readDar(readPackage('conformance-model-1.0.0.dar'))
  let refused = 0
  fc.assert(
    fc.property(fc.nat(main.package.length - 1), fc.nat(7), (at, bit) => {
      const damaged = Buffer.from(main.package)
      damaged.writeUInt8(damaged.readUInt8(at) ^ (1 << bit), at)
      try {
        decodePackage('test', main.language, damaged)
      } catch (error) {
        if (!(error instanceof ArchiveError)) throw error
        refused += 1
      }
    }),
    { numRuns: 100 },
  )
  t.ok(refused > 10, `${refused} of 100`)
  t.end()
})
