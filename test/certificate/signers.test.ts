/** The keys and signing commands that `certify` accepts, and the signatures that they produce. */
import { execFileSync } from 'node:child_process'
import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { cp, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { envelopeText, isSealedBy, payloadOf, publicKeyIn, readEnvelope } from '../../certificate/envelope.js'
import { keyFile } from '../../certificate/signers.js'
import { predicateType, readStatement, statementType } from '../../certificate/statement.js'
import { certifyCommand } from '../../cli/commands/certify-command.js'
import { verifyCommand } from '../../cli/commands/verify-command.js'
import type { Flags } from '../../cli/target/settings.js'
import { type KeyPairFiles, keyFiles } from '../support/bundles/certified-bundle.js'
import { type CalledCommand, call } from '../support/processes/called-command.js'
import { writeLookupSuite } from '../support/suites/lookup-suite.js'

const folder = t.testdir({ suite: {} })
const suite = await writeLookupSuite(join(folder, 'suite'))
// Each command of this file reads names that the author of a suite may choose.
await rename(join(suite, 'rules', 'general.yaml'), join(suite, 'rules', '.für alle +@ 1.yaml'))
const signer = await keyFiles(folder, 'signer')
const certify = (out: string, more: Flags): Promise<CalledCommand> =>
  call(() => certifyCommand({ suite, out: join(folder, out), signer: 'A. Signer', ...more }, false))
const verifyAt = (path: string, key: KeyPairFiles): Promise<CalledCommand> =>
  call(() => verifyCommand(path, { suite, key: key.publicPath }, false))

t.test('a signing command signs with ECDSA', async (t) => {
  const pair = await keyFiles(folder, 'ecdsa', 'prime256v1')
  const keyCommand = `openssl dgst -sha256 -sign '${pair.privatePath}' | base64 -w 0`
  const { code, stdout, stderr } = await certify('command', { keyCommand, publicKey: pair.publicPath })
  t.equal(code, 0, stdout + stderr)
  const verified = await verifyAt(join(folder, 'command', 'latest'), pair)
  t.equal(verified.code, 0, verified.stdout + verified.stderr)
  const compressed = join(folder, 'compressed.pub.pem')
  execFileSync('openssl', [
    ...['ec', '-pubin', '-in', pair.publicPath, '-conv_form', 'compressed', '-pubout', '-out', compressed],
  ])
  t.not(await readFile(compressed, 'utf8'), await readFile(pair.publicPath, 'utf8'))
  const again = await verifyAt(join(folder, 'command', 'latest'), { ...pair, publicPath: compressed })
  t.strictSame([again.code, again.stdout], [0, verified.stdout], 'the same key in another form')
})

t.test('a statement that is not UTF-8 is an alteration: other readers may read another text', async (t) => {
  const pair = await keyFiles(folder, 'bytes')
  t.match(await certify('bytes', { key: pair.privatePath, signer: 'An \ufffd' }), { code: 0 })
  const path = join(folder, 'bytes', 'latest')
  const file = join(path, 'certificate.json')
  const envelope = readEnvelope(await readFile(file, 'utf8'))
  if (!envelope) throw new Error('the file contains no envelope')
  const payload = Buffer.from(
    payloadOf(envelope).toString('latin1').replace('An \u00ef\u00bf\u00bd', 'An \u00ff'),
    'latin1',
  )
  const { sign } = await keyFile(pair.privatePath)
  const sig = await sign(Buffer.concat([Buffer.from(`DSSEv1 28 ${envelope.payloadType} ${payload.length} `), payload]))
  const signatures = envelope.signatures.map(({ keyid }) => ({ keyid, sig: sig.toString('base64') }))
  await writeFile(file, envelopeText({ ...envelope, payload: payload.toString('base64'), signatures }))
  const { code, stdout } = await verifyAt(path, pair)
  t.equal(code, 1)
  t.match(stdout, 'x the statement has another JSON form than conform writes')
})

t.test('openssl verifies the ECDSA signature of a key with a passphrase', async (t) => {
  const passphrase = 'correct horse battery'
  const pair = await keyFiles(folder, 'locked', 'prime256v1', passphrase)
  const file = join(folder, 'passphrase')
  await writeFile(file, `${passphrase}\n`)
  const wrong = join(folder, 'wrong')
  await writeFile(wrong, 'wrong horse battery\n')
  const options = { key: pair.privatePath, keyPassphraseFile: file }
  const { code, stdout, stderr } = await certify('locked', options)
  t.equal(code, 0, stdout + stderr)
  const made = join(folder, 'locked', 'latest')
  t.equal((await verifyAt(made, pair)).code, 0)
  const texts = await Promise.all(
    (await readdir(made)).map((name) => readFile(join(made, name), 'utf8').catch(() => '')),
  )
  t.notOk(
    [stdout, stderr, ...texts].some((text) => text.includes(passphrase)),
    'no output contains the passphrase',
  )
  const envelope = readEnvelope(await readFile(join(made, 'certificate.json'), 'utf8'))
  if (!envelope) throw new Error('the file contains no envelope')
  const { payloadType, signatures } = envelope
  const payload = payloadOf(envelope)
  // DSSE: PAE(type, body) = "DSSEv1" SP len(type) SP type SP len(body) SP body.
  const signed = Buffer.concat([Buffer.from(`DSSEv1 ${payloadType.length} ${payloadType} ${payload.length} `), payload])
  await writeFile(join(folder, 'signed'), signed)
  await writeFile(join(folder, 'signature'), Buffer.from(signatures[0]?.sig ?? '', 'base64'))
  const verified = execFileSync('openssl', [
    ...['dgst', '-sha256', '-verify', pair.publicPath, '-signature', join(folder, 'signature'), join(folder, 'signed')],
  ])
  t.equal(String(verified).trim(), 'Verified OK')

  const refused = async (wanted: RegExp, more: Flags): Promise<void> => {
    const given = { target: 'http://127.0.0.1:9', key: pair.privatePath, ...more }
    t.match(await certify('refused', given), { code: 2, stderr: wanted })
  }
  await refused(/locked\.pem requires a passphrase; give --key-passphrase-file FILE or set CONFORM_KEY_PASSPHRASE/, {})
  await refused(/the passphrase does not decrypt the key in .*locked\.pem/, { keyPassphraseFile: wrong })
  await refused(/--key-passphrase-file requires --key FILE/, { key: undefined, keyPassphraseFile: file })
  process.env['CONFORM_KEY_PASSPHRASE'] = passphrase
  t.teardown(() => delete process.env['CONFORM_KEY_PASSPHRASE'])
  const opened = await certify('opened', { target: 'http://127.0.0.1:9', key: pair.privatePath })
  t.match(opened, { code: 3 }, 'the key is accepted, and the target is unreachable')
})

t.test('wrong keys and forbidden settings are rejected before any request', async (t) => {
  const target = 'http://127.0.0.1:9'
  const refused = async (wanted: RegExp, options: Flags) => {
    const { code, stderr } = await certify('refused', { target, ...options })
    t.equal(code, 2, stderr)
    t.match(stderr, wanted)
  }
  const key = signer.privatePath
  await refused(/name the signing key: --key FILE, or --key-command LINE and --public-key FILE/, {})
  await refused(/contains no private key in PEM format/, { key: signer.publicPath })
  await refused(/cannot be read \(ENOENT: /, { key: join(folder, 'nothing.pem') })
  const config = join(folder, 'target.yaml')
  await writeFile(config, 'only: LOOK-*\ninsecure: true\n')
  await refused(
    /certify: remove only \(\S*target\.yaml:1\), insecure \(\S*target\.yaml:2\)\. A certified run excuses no failure/,
    { key, config },
  )
  const rsa = join(folder, 'rsa.pem')
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  await writeFile(rsa, privateKey.export({ type: 'pkcs8', format: 'pem' }))
  await refused(/rsa\.pem: expected a key for Ed25519, or for ECDSA on the curve P-256, P-384 or P-521/, { key: rsa })
  const publicKey = signer.publicPath
  const failing = await certify('unlucky', { keyCommand: 'echo no luck >&2; exit 3', publicKey })
  t.match(failing, { code: 2, stderr: /the signing command ended with 3: no luck/ })
  const other = await certify('other', { keyCommand: 'cat', publicKey })
  t.match(other, { code: 2, stderr: /the signature does not match the public key/ })
})

t.test('a statement names files below the bundle', async (t) => {
  const isRead = (name: string): boolean => {
    const subject = [{ name, digest: { sha256: '0'.repeat(64) } }]
    const claims = { conclusion: '', planned: 0, target: { url: '' }, profile: { name: '' }, run: { digest: '' } }
    const tool = { name: '', version: '', digest: '0'.repeat(64) }
    const predicate = { issued: new Date().toISOString(), signer: { name: '', key: '' }, tool, claims }
    return readStatement(JSON.stringify({ _type: statementType, subject, predicateType, predicate })) !== undefined
  }
  for (const name of ['run.ndjson', 'suite/rules/für alle +@ 1.yaml', '.hidden', '..a/b..', 'a:b'])
    t.ok(isRead(name), name)
  for (const name of ['', '.', '..', '/etc/passwd', 'a/../../b', 'a//b', 'a/', './a', 'a\\..\\b', 'a\nb', 'a\u009bb'])
    t.notOk(isRead(name), JSON.stringify(name))
  const named = join(folder, 'named')
  await cp(suite, named, { recursive: true })
  await writeFile(join(named, 'rules', 'two\nlines.yaml'), '')
  const { code, stderr } = await certify('named-run', { suite: named, key: signer.privatePath })
  t.equal(code, 2)
  t.match(stderr, '"rules/two\\nlines.yaml" has a backslash or a control character; rename the file')
})

t.test('keys of small order are rejected: a signature without a secret matches them', (t) => {
  const spki = Buffer.from('302a300506032b6570032100', 'hex')
  const points = ['01'.padEnd(64, '0'), '00'.repeat(32), `ec${'ff'.repeat(30)}ff`]
  for (const point of points) {
    const key = createPublicKey({ key: Buffer.concat([spki, Buffer.from(point, 'hex')]), type: 'spki', format: 'der' })
    const pem = key.export({ type: 'spki', format: 'pem' }).toString()
    t.throws(() => publicKeyIn(pem, 'key.pem'), /the Ed25519 key has a small order: any client can sign for it/, point)
    const payload = Buffer.from('{}').toString('base64')
    const sig = Buffer.from(`01${'00'.repeat(63)}`, 'hex').toString('base64')
    t.notOk(isSealedBy({ payloadType: '', payload, signatures: [{ keyid: '', sig }] }, key))
  }
  t.end()
})
