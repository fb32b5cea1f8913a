/** Certificates are verified offline, and `verify` reports every alteration of a bundle. */
import { cp, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { envelopeText, payloadOf, readEnvelope, seal } from '../../certificate/envelope.js'
import type { BundleFinding } from '../../certificate/finding.js'
import { keyFile } from '../../certificate/signers.js'
import { readStatement } from '../../certificate/statement.js'
import { type Verification, verifyBundle } from '../../certificate/verify/verify-bundle.js'
import { certifyCommand } from '../../cli/commands/certify-command.js'
import { doctorCommand } from '../../cli/commands/doctor-command.js'
import { verifyCommand } from '../../cli/commands/verify-command.js'
import { targetName } from '../../cli/output/certified-reports.js'
import { readRun } from '../../cli/output/read-run.js'
import { recordNameOf } from '../../cli/output/record-names.js'
import type { Flags } from '../../cli/target/settings.js'
import type { RunRecord } from '../../record/types/record.js'
import { alterPlaces, withoutFailures, wrongClaims } from '../support/bundles/altered-bundle.js'
import {
  certifyAnew,
  findingsAfter,
  hasFinding,
  type KeyPairFiles,
  keyFiles,
  rewriteRecord,
  verifyOptions,
} from '../support/bundles/certified-bundle.js'
import { type CalledCommand, call } from '../support/processes/called-command.js'
import { conform } from '../support/processes/conform-process.js'
import { linkToZero, namedPipe } from '../support/records/special-files.js'
import { drawFrom } from '../support/servers/hostile-answers.js'
import { proxiedSimulator } from '../support/servers/hostile-proxy.js'
import { lookupRows, refusedRows, writeLookupSuite } from '../support/suites/lookup-suite.js'

const folder = t.testdir({ suite: {} })
const recordName = recordNameOf(1, 'plain')
const suite = await writeLookupSuite(join(folder, 'suite'))
const signer = await keyFiles(folder, 'signer')
const attacker = await keyFiles(folder, 'attacker')
const certify = (out: string, more: Flags): Promise<CalledCommand> =>
  call(() => certifyCommand({ suite, out: join(folder, out), signer: 'A. Signer', record: 'plain', ...more }, false))
const verifyAt = (path: string, key?: KeyPairFiles): Promise<CalledCommand> =>
  call(() => verifyCommand(path, { suite, ...(key && { key: key.publicPath }) }, false))
const healthy = conform(
  ...['certify', '--suite', suite, '--record', 'plain', '--out', join(folder, 'healthy')],
  ...['--signer', 'A. Signer', '--key', signer.privatePath],
)
const bundle = join(folder, 'healthy', 'latest')

async function copyOf(from: string, name: string): Promise<string> {
  await healthy
  const copy = join(folder, `copy-${name}`)
  await cp(from, copy, { recursive: true, dereference: true })
  return copy
}
const verify = (path: string, key?: KeyPairFiles): Promise<Verification> =>
  verifyOptions(suite, key?.publicKey).then((options) => verifyBundle(path, options))
const altered = ({ findings }: Verification): string[] =>
  findings.filter(({ kind }) => kind === 'altered').map(({ what }) => what)

const against = ({ findings }: Verification): BundleFinding[] => findings.filter(({ kind }) => kind !== 'stated')

const conclusion = `PASS: ${lookupRows} of ${lookupRows} rows passed, 0 failed; 1 mandatory rule not tested`

t.test('a certificate is an in-toto statement about every file, and is verified offline', async (t) => {
  const { code, stdout, stderr } = await healthy
  t.equal(code, 0, stdout + stderr)
  const files = await readdir(bundle)
  for (const name of ['certificate.json', recordName, 'report.html', 'target.json', 'suite'])
    t.ok(files.includes(name), name)
  const envelope = readEnvelope(await readFile(join(bundle, 'certificate.json'), 'utf8'))
  const statement = envelope && readStatement(payloadOf(envelope).toString('utf8'))
  t.match(statement, {
    _type: 'https://in-toto.io/Statement/v1',
    predicate: {
      signer: { name: 'A. Signer' },
      claims: {
        conclusion,
        planned: lookupRows,
        unexamined: [
          { rule: 'LOOK-INSIDE', state: 'untestable', why: [{ code: 'unobservable', message: 'It happens inside.' }] },
        ],
        waivers: [],
        deviations: [],
      },
    },
  })
  t.ok(
    statement?.subject.some(({ name }) => name === 'suite/rules/general.yaml'),
    'with the registry',
  )
  const verified = await verifyAt(bundle, signer)
  t.equal(verified.code, 0, verified.stdout + verified.stderr)
  t.match(
    verified.stdout,
    /^! the target is the embedded simulator.*\nPASS: .*\n.*signed by A\. Signer at .*\nVerified: /s,
  )
  const unknown = await verifyAt(bundle)
  t.equal(unknown.code, 5, 'the signer is not known')
  t.match(unknown.stdout, 'Not verified: the signer is not known. Give the public key of the signer (--key FILE).')
  const wrong = await verifyAt(bundle, attacker)
  t.equal(wrong.code, 1)
  t.match(wrong.stdout, /^x the key [0-9a-f]{64} signed the bundle, not the given key [0-9a-f]{64}$/m)
  t.match(wrong.stdout, verified.stdout.match(/signed by A\. Signer at .* with the key \S+/)?.[0] ?? 'no key')
})

t.test('verify reports each failure that was changed to a pass', async (t) => {
  const proxy = await proxiedSimulator(t)
  proxy.answerBy({
    path: '/v2/contracts/contract-by-id',
    answer: ({ status, headers, body }, response) =>
      void (status === 400
        ? response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
        : response.writeHead(status, headers).end(body)),
  })
  const seen = await call(() => doctorCommand({ suite, target: proxy.url, json: true }, false))
  const certified = await certify('failing', { target: proxy.url, key: signer.privatePath })
  t.equal(certified.code, 1, certified.stdout + certified.stderr)
  const rows = `\\d+ of ${lookupRows} rows passed, ${refusedRows} failed`
  t.match(certified.stderr, new RegExp(`Not certified: the participant does not conform\\. FAIL: ${rows}`))
  const unsigned = join(folder, 'failing', 'latest')
  t.match(await readFile(join(unsigned, 'summary.md'), 'utf8'), 'Conformance: FAIL: ')
  t.notOk((await readdir(unsigned)).includes('certificate.json'))
  // Files that another program would add before signing.
  const path = await copyOf(unsigned, 'turned')
  await cp(suite, join(path, 'suite'), { recursive: true })
  await writeFile(join(path, targetName), seen.stdout)
  await certifyAnew(path, signer.privatePath)
  t.match(await verifyAt(path, signer), {
    code: 1,
    stdout: /^x the run does not conform, so it has no certificate: FAIL: /m,
  })
  t.equal(against(await verify(path, signer)).length, 1, 'nothing else is wrong')
  let names: string[] = []
  await rewriteRecord(path, (record) => {
    const turned = withoutFailures(record)
    names = record.rows.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id)
    return turned
  })
  t.equal(names.length, refusedRows)
  // Another key signs it, and verify receives no key.
  await certifyAnew(path, attacker.privatePath)
  const found = await verify(path)
  t.match(found.certificate?.claims.conclusion, /^PASS: /)
  t.strictSame(
    altered(found)
      .map((what) => /^rows\[(\S+)\]\.verdict /.exec(what)?.[1])
      .sort(),
    names.sort(),
    'each changed row, and nothing else',
  )
  t.match(altered(found)[0], /\.verdict is recorded as "pass", but "fail" follows from the suite and the exchanges; /)
})

t.test('verify names each other alteration of a bundle', async (t) => {
  const gone = await copyOf(bundle, 'gone')
  await rewriteRecord(gone, (record) => ({ ...record, rows: record.rows.slice(1) }))
  const first = await verify(gone, signer)
  hasFinding(t, first, 'altered', `${recordName} was altered: its digest differs from the statement`)
  hasFinding(t, first, 'altered', /The plan has \d+ rows, but the record contains \d+/)

  const unsigned = await copyOf(bundle, 'unsigned')
  await rm(join(unsigned, 'certificate.json'))
  t.match(await verifyAt(unsigned, signer), {
    code: 2,
    stdout: '',
    stderr: /^bundle: .* contains no certificate.json; name the folder of a certified run$/m,
  })
  const lines = (await readFile(join(unsigned, recordName), 'utf8')).split('\n')
  await writeFile(
    join(unsigned, recordName),
    lines
      .toSpliced(
        lines.findLastIndex((line) => line.startsWith('{"type":"row"')),
        1,
      )
      .join('\n'),
  )
  const without = await verify(unsigned, signer)
  hasFinding(t, without, 'altered', /^certificate.json cannot be read \(ENOENT.*: nothing is certified$/)
  hasFinding(t, without, 'altered', /The plan has \d+ rows, but the record contains \d+$/)
  hasFinding(t, without, 'altered', /The digest in the footer differs from that of the lines/)

  const unplanned = await copyOf(bundle, 'unplanned')
  const [planned, ...others] = (await readRun(unplanned)).header.plan
  await rewriteRecord(unplanned, ({ header, rows, ...rest }) => ({
    ...rest,
    header: { ...header, plan: others, suite: { ...header.suite, rows: others.length } },
    rows: rows.filter(({ id }) => id !== planned),
  }))
  await certifyAnew(unplanned, attacker.privatePath)
  t.match(altered(await verify(unplanned)), [
    /^header\.suite\.rows is recorded as \d+, but \d+ follows/,
    `header.plan[0] is recorded as "${others[0]}", but "${planned}" follows`,
    'target.json and the record differ in the number of rows',
  ])

  const withoutSense = (record: RunRecord): RunRecord => {
    const checks = [{ on: 'body' as const, pointer: '/code', matcher: { pattern: '(' } }]
    for (const { resolved } of record.rows)
      for (const step of resolved.steps) for (const one of step.expectations) one.anyOf = [{ checks }]
    return record
  }
  const findings = await findingsAfter(bundle, { change: withoutSense }, await verifyOptions(suite))
  t.equal(
    altered({ findings }).filter((what) => /^rows\[\S+\]\.resolved/.test(what)).length,
    lookupRows,
    'every row of the plan differs from the suite',
  )
})

t.test('verify reports missing files, added files and another format of the certificate', async (t) => {
  const path = await copyOf(bundle, 'files')
  await rm(join(path, 'junit.xml'))
  await mkdir(join(path, 'more'))
  await writeFile(join(path, 'more', 'notes.txt'), 'hello')
  const file = join(path, 'certificate.json')
  await writeFile(file, JSON.stringify(JSON.parse(await readFile(file, 'utf8'))))
  const found = await verify(path, signer)
  t.strictSame(altered(found), ['junit.xml is missing'])
  hasFinding(t, found, 'noted', 'more/notes.txt is not certified: the statement does not name it')
  hasFinding(t, found, 'noted', 'certificate.json has a different JSON format from the one that conform writes')
  await writeFile(file, '{"payloadType":"text/plain"}')
  hasFinding(
    t,
    await verify(path, signer),
    'altered',
    'certificate.json is not a DSSE envelope of an in-toto statement',
  )
  await writeFile(join(path, recordName), 'nothing')
  hasFinding(t, await verify(path, signer), 'altered', /^the run record cannot be read: /)
  const nowhere = await verifyAt(join(folder, 'nowhere'))
  t.match(nowhere, { code: 2, stderr: /nowhere.* cannot be read \(/ })
  const other = await verifyAt(t.testdir())
  t.match(other, { code: 2, stderr: /^bundle: .* contains no certificate.json; name the folder of a certified run$/m })
})

t.test('verify names each file of a bundle that is not regular, and continues', async (t) => {
  const wrong = 'it is a named pipe; give a regular file'
  const replaced = async (name: string, make: (path: string, name: string) => unknown): Promise<Verification> => {
    const path = await copyOf(bundle, `special-${name.replace(/\W/g, '-')}-${make.name}`)
    await rm(join(path, name), { force: true })
    await make(path, name)
    return verify(path, signer)
  }
  const certificate = await replaced('certificate.json', namedPipe)
  hasFinding(t, certificate, 'altered', `certificate.json cannot be read (${wrong}): nothing is certified`)
  hasFinding(t, await replaced('report.html', namedPipe), 'altered', `report.html cannot be read (${wrong})`)
  hasFinding(t, await replaced('report.html', linkToZero), 'altered', /^report.html cannot be read \(it is a device/)
  hasFinding(
    t,
    await replaced(recordName, namedPipe),
    'altered',
    /^the run record cannot be read: .*it is a named pipe/,
  )
  hasFinding(t, await replaced(recordName, linkToZero), 'altered', /^the run record cannot be read: .*it is a device/)
  hasFinding(t, await replaced('suite/rules/more.yaml', namedPipe), 'altered', /^suite cannot be read \(.*named pipe/)
  const looped = await replaced('suite/loop', async (path, name) => {
    for (const end of ['1', '2']) await symlink('..', join(path, `${name}${end}`))
  })
  hasFinding(t, looped, 'altered', 'suite/loop1 is not certified: the statement does not name it')
  hasFinding(t, looped, 'altered', /^suite cannot be read \(.*symbolic link/)
})

t.test('verify rejects a statement with incomplete claims', async (t) => {
  const path = await copyOf(bundle, 'claims')
  const file = join(path, 'certificate.json')
  const envelope = readEnvelope(await readFile(file, 'utf8'))
  const text = envelope && payloadOf(envelope).toString('utf8')
  for (const change of wrongClaims) {
    const statement = JSON.parse(text ?? '')
    statement.predicate.claims = change(statement.predicate.claims)
    await writeFile(file, envelopeText(await seal(JSON.stringify(statement), await keyFile(signer.privatePath))))
    const { code, stdout, stderr } = await verifyAt(path, signer)
    t.equal(code, 1, stderr)
    t.match(stdout, 'x certificate.json contains no statement about a run of conform')
  }
})

// test/endurance/altered-bundles.ts alters hundreds of places.
t.test('verify rejects every changed byte or reports that it has no effect', async (t) => {
  const path = await copyOf(bundle, 'bytes')
  const options = await verifyOptions(suite, signer.publicKey)
  const { refused, noted, missed } = await alterPlaces(path, 8, drawFrom('bytes'), options)
  t.strictSame(missed, [])
  t.equal(refused + noted, 8)
  t.ok(refused >= 6, `${refused} refused`)
  t.strictSame(against(await verify(path, signer)), [], 'the restored bundle has no findings')
})

t.test('a statement that names fewer files than the bundle has is an alteration', async (t) => {
  const path = await copyOf(bundle, 'subjects')
  const file = join(path, 'certificate.json')
  const envelope = readEnvelope(await readFile(file, 'utf8'))
  const statement = JSON.parse(envelope ? payloadOf(envelope).toString('utf8') : '')
  const signedText = async (text: string): Promise<string[]> => {
    await writeFile(file, envelopeText(await seal(text, await keyFile(signer.privatePath))))
    return altered(await verify(path, signer))
  }
  const signed = (change: object): Promise<string[]> => signedText(JSON.stringify({ ...statement, ...change }))
  const without = (omitted: string): object => ({
    subject: statement.subject.filter(({ name }: { name: string }) => !name.startsWith(omitted)),
  })
  const uncertified = (name: string): string => `${name} is not certified: the statement does not name it`
  t.strictSame(await signed(without('target.json')), [uncertified('target.json')])
  t.strictSame(await signed(without(recordName)), [uncertified(recordName)])
  t.strictSame(await signed(without('report.html')), [uncertified('report.html')])
  t.strictSame(await signed(without('suite/rules')), [uncertified('suite/rules/general.yaml')])
  t.match(await signed({ subject: [] }), [/ is not certified: the statement does not name it$/])
  t.strictSame(await signed({ subject: [...statement.subject, statement.subject[0]] }), [
    'the statement names a file twice',
  ])
  const absent = Array.from({ length: 2000 }, (_, index) => ({
    name: `absent-${index}`,
    digest: { sha256: '0'.repeat(64) },
  }))
  const many = await signed({ subject: [...statement.subject, ...absent] })
  t.equal(many.at(-1), '1980 more files differ from the statement', 'the output is bounded')
  t.equal(many.length, 21)
  const unknown = 'certificate.json contains no statement about a run of conform'
  t.ok((await signed({ reviewed: true })).includes(unknown), 'a member outside the schema')
  const { predicate } = statement
  const deep = JSON.parse(`${'['.repeat(60)}${']'.repeat(60)}`)
  t.ok((await signed({ predicate: { ...predicate, claims: { ...predicate.claims, deep } } })).includes(unknown))
  t.match(await signed({ predicate: { ...predicate, tool: { ...predicate.tool, version: '99' } } }), [
    /^the statement names the program \S+ 99, and the record \S+ \S+$/,
  ])

  const { signer: named, tool } = predicate
  for (const wrong of [{ digest: 'any' }, { digest: [tool.digest] }, { name: { toString: 'x' } }])
    t.ok((await signed({ predicate: { ...predicate, tool: { ...tool, ...wrong } } })).includes(unknown))
  t.ok(
    (await signed({ predicate: { ...predicate, issued: new Date(predicate.issued).toUTCString() } })).includes(unknown),
  )
  for (const key of [`Subject: an office\n${named.key}`, named.key.trim(), named.key.replaceAll('\n', '\r\n')]) {
    t.strictSame(await signed({ predicate: { ...predicate, signer: { ...named, key } } }), [
      'signer.key contains more than the key, or another form of it',
    ])
  }
  // Another reader may take the first of two members.
  const text = JSON.stringify(statement)
  for (const twice of [
    text.replace('"conclusion":', '"conclusion":"PASS: everything","conclusion":'),
    text.replace('"predicate":', '"predicate":{},"predicate":'),
    text.replaceAll('":', '": '),
    text.replace('"claims"', '"cl\\u0061ims"'),
  ]) {
    t.not(twice, text)
    t.match(await signedText(twice), [/^the statement has another JSON form than conform writes/])
  }
  t.strictSame(await signedText(text), [])
})

t.test('a bundle contains no further records, and verify names other signed files', async (t) => {
  const path = await copyOf(bundle, 'further')
  await cp(join(path, recordName), join(path, 'run-9.ndjson.br'))
  await writeFile(join(path, 'review.txt'), 'All is well.')
  await certifyAnew(path, signer.privatePath)
  const { findings } = await verify(path, signer)
  t.match(
    findings.filter(({ kind }) => kind !== 'stated'),
    [
      { kind: 'noted', what: 'review.txt is signed, but no part of a bundle' },
      { kind: 'altered', what: 'the bundle contains 2 records, but verify reads only 1' },
    ],
  )
})
