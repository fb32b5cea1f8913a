/** `verify` names each alteration before signing that the bundle contradicts. */
import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { certificateName } from '../../certificate/bundle.js'
import type { Claims } from '../../certificate/claims.js'
import { envelopeText, payloadOf, readEnvelope, seal } from '../../certificate/envelope.js'
import type { BundleFinding } from '../../certificate/finding.js'
import { keyFile } from '../../certificate/signers.js'
import { readStatement } from '../../certificate/statement.js'
import { type Verification, verifyBundle } from '../../certificate/verify/verify-bundle.js'
import { certifyCommand } from '../../cli/commands/certify-command.js'
import { verifyCommand } from '../../cli/commands/verify-command.js'
import type { Flags } from '../../cli/target/settings.js'
import type { Judgement, RunRecord, RunRow } from '../../record/types/record.js'
import { loadSuite } from '../../runner/load/load-suite.js'
import {
  certifyAnew,
  findingsAfter,
  hasFinding,
  keyFiles,
  rewriteRecord,
  verifyOptions,
} from '../support/bundles/certified-bundle.js'
import { certifySubmissions } from '../support/bundles/certified-submissions.js'
import { type Alteration, eachRow, headerAlterations, otherFindings } from '../support/bundles/re-signed.js'
import { evidenceAlterations } from '../support/bundles/re-signed-evidence.js'
import { rowAlterations } from '../support/bundles/re-signed-rows.js'
import { type CalledCommand, call } from '../support/processes/called-command.js'
import { writeLookupSuite } from '../support/suites/lookup-suite.js'
import { writeSubmissionSuite } from '../support/suites/submission-suite.js'

const folder = t.testdir({ suite: {} })
const signer = await keyFiles(folder, 'signer')
const suite = await writeSubmissionSuite(join(folder, 'suite'))
const bundle = await certifySubmissions(folder, suite, signer.privatePath)

const options = verifyOptions(suite, signer.publicKey)
const verify = async (path: string): Promise<Verification> => verifyBundle(path, await options)

async function detects(t: Test, alteration: Alteration): Promise<void> {
  const found = await otherFindings(bundle, alteration, await options, signer.privatePath)
  t.equal(found, undefined, alteration.what, { found: found?.slice(0, 5) })
}

t.test('an unaltered bundle has only stated findings, also when signed again', async (t) => {
  const simulator = [
    { kind: 'stated', what: 'the target is the embedded simulator' },
    { kind: 'stated', what: 'the settings, not the target, state the protocol version' },
    {
      kind: 'stated',
      what: 'a participant that recognizes the requests of the suite could answer other clients differently; no run shows this',
    },
  ]
  t.strictSame((await verify(bundle)).findings, simulator)
  const path = join(folder, 'signed-again')
  await cp(bundle, path, { recursive: true, dereference: true })
  await rewriteRecord(path, (record) => record)
  await certifyAnew(path, signer.privatePath)
  t.strictSame((await verify(path)).findings, simulator)
})

t.test('alterations of the header are named', async (t) => {
  for (const alteration of headerAlterations) await detects(t, alteration)
})

t.test('alterations of rows, plan and reports are named', async (t) => {
  for (const alteration of rowAlterations) await detects(t, alteration)
})

t.test('alterations of exchanges are named', async (t) => {
  for (const alteration of evidenceAlterations) await detects(t, alteration)
})

interface Rewritten {
  record?: (record: RunRecord) => RunRecord
  claims?: (claims: Claims) => Partial<Claims>
}

const same = <Value>(value: Value): Value => value

async function rewriteClaims(path: string, change: (claims: Claims) => Partial<Claims>): Promise<void> {
  const file = join(path, certificateName)
  const envelope = readEnvelope(await readFile(file, 'utf8'))
  const statement = envelope && readStatement(payloadOf(envelope).toString('utf8'))
  if (!statement) throw new Error('the certificate contains no statement')
  const { claims } = statement.predicate
  Object.assign(claims, change(claims))
  await writeFile(file, envelopeText(await seal(JSON.stringify(statement), await keyFile(signer.privatePath))))
}

t.test('other facts are an alteration by another version too', async (t) => {
  const path = join(folder, 'other-facts')
  const digest = '0'.repeat(64)
  const reports = (): Promise<[]> => Promise.resolve([])
  const findings = async ({ record = same, claims = same }: Rewritten): Promise<BundleFinding[]> => {
    await rm(path, { recursive: true, force: true })
    await cp(bundle, path, { recursive: true, dereference: true })
    await rewriteRecord(path, record)
    await certifyAnew(path, signer.privatePath, { digest, reports })
    await rewriteClaims(path, claims)
    const found = await verifyBundle(path, { ...(await options), reports })
    hasFinding(t, found, 'noted', `the statement names another build of the program, with the digest ${digest}`)
    return found.findings.filter(({ kind }) => kind === 'altered' || kind === 'unproven')
  }
  const altered = (what: string | RegExp) => ({ kind: 'altered', what })
  const claims = (change: NonNullable<Rewritten['claims']>): Promise<BundleFinding[]> => findings({ claims: change })
  t.strictSame(
    await claims(({ restrictions }) => ({
      conclusion: 'PASS',
      restrictions: restrictions.map(() => 'other'),
    })),
    [
      {
        kind: 'unproven',
        what: 'the texts of conclusion, restrictions have other wording in this version',
      },
    ],
  )
  t.match(await claims(() => ({ conclusion: 'FAIL: 0 of 1 rows passed' })), [
    altered('the statement and the record differ in conclusion'),
  ])
  t.match(await claims(({ unexamined }) => ({ unexamined: unexamined.slice(1) })), [
    altered('the statement and the record differ in unexamined'),
  ])
  t.match(
    await claims(({ unexamined }) => ({ unexamined: unexamined.map((one) => ({ ...one, state: 'untestable' })) })),
    [altered('the statement and the record differ in unexamined')],
  )
  t.match(await claims(({ notJudged }) => ({ notJudged: notJudged.map(({ rows }) => ({ rows })) })), [
    altered('the statement and the record differ in notJudged'),
  ])
  t.match(await claims(({ notJudged }) => ({ notJudged: notJudged.map((one) => ({ ...one, rows: 1 + one.rows })) })), [
    altered('the statement and the record differ in notJudged'),
  ])
  t.match(await claims(({ restrictions }) => ({ restrictions: restrictions.slice(1) })), [
    altered('the statement and the record differ in restrictions'),
  ])
  const judgements = (change: (one: Judgement) => Judgement): Promise<BundleFinding[]> => {
    let isChanged = false
    const once = (row: RunRow): RunRow => {
      const [first, ...others] = row.judgements
      if (isChanged || row.verdict !== 'pass' || !first) return row
      isChanged = true
      return { ...row, judgements: [change(first), ...others] }
    }
    return findings({ record: (record) => eachRow(record, once) })
  }
  const differ = /^rows\[[\w/-]+\]\.judgements\[0\]\.\w+(?:\[0\])? is recorded as /
  t.match(await judgements((one) => ({ ...one, found: ['other'] })), [altered(differ)])
  t.match(await judgements((one) => ({ ...one, met: false })), [altered(differ)])
  t.match(await judgements((one) => ({ ...one, rules: one.rules.slice(1) })), [altered(differ)])
})

t.test('verify prints unproven points and exits with 5', async (t) => {
  const command = (path: string, flags = { suite }): Promise<CalledCommand> =>
    call(() => verifyCommand(path, { key: signer.publicPath, ...flags }, false))
  const sound = await command(bundle)
  t.match(sound, {
    code: 0,
    stdout: /^! the target is the embedded simulator.*\n.*\n.*\n.* rows passed.*\nVerified: the signature, all files/s,
  })
  const other = await command(bundle, { suite: await writeLookupSuite(join(folder, 'lookups')) })
  t.equal(other.code, 5)
  t.match(other.stdout, /^! the suite of the bundle differs from the suite of the verifier: \d+ rows added/)
  t.match(other.stdout, /Not verified: the bundle does not prove 1 point \(!\) above\./)
  const hidden = join(folder, 'hidden')
  await cp(bundle, hidden, { recursive: true, dereference: true })
  await rewriteRecord(hidden, (record) => ({ ...record, header: { ...record.header, redacted: true } }))
  await certifyAnew(hidden, signer.privatePath)
  const unproven = await command(hidden)
  t.equal(unproven.code, 5)
  t.match(unproven.stdout, /! \d+ of \d+ verdicts cannot be judged again from this record: redaction removed secrets/)
  t.notMatch(unproven.stdout, 'Verified')
})

t.test('a redacted variable of the run hides the rows that name it, and no others', async (t) => {
  const change = ({ header, ...rest }: RunRecord): RunRecord => {
    const variables = { ...header.variables, alice: '"[redacted: a party]"' }
    return { ...rest, header: { ...header, variables, redacted: true } }
  }
  const findings = await findingsAfter(bundle, { change }, await options)
  t.match(
    findings.filter(({ kind }) => kind !== 'stated'),
    [
      { kind: 'unproven', what: /^header\.variables\.alice is recorded as "\\"\[redacted: a party\]/ },
      {
        kind: 'unproven',
        what: /^\d of \d+ verdicts cannot be judged again from this record: redaction removed secrets .*SUB-REFUSED/,
      },
    ],
  )
})

t.test('verify compares a laxer suite of a bundle with the trusted suite', async (t) => {
  const lax = join(folder, 'lax')
  await cp(suite, lax, { recursive: true })
  const rules = join(lax, 'rules', 'general.yaml')
  await writeFile(rules, (await readFile(rules, 'utf8')).replaceAll('strength: must', 'strength: should'))
  const flags = {
    suite: lax,
    out: join(folder, 'laxly'),
    signer: 'A. Signer',
    key: signer.privatePath,
    protocolVersion: 35,
  }
  t.equal((await call(() => certifyCommand(flags, false))).code, 0)
  const [first] = (await verify(join(folder, 'laxly', 'latest'))).findings
  t.match(first, {
    kind: 'unproven',
    what: /^the suite of the bundle differs from the suite of the verifier: \d+ rows changed, \d+ rules with another/,
  })
})

t.test('a suite of a bundle that cannot be resolved is a finding', async (t) => {
  const broken = join(folder, 'unresolvable')
  await cp(bundle, broken, { recursive: true, dereference: true })
  const cases = join(broken, 'suite', 'cases', 'submit-and-wait', 'submit.yaml')
  await writeFile(cases, (await readFile(cases, 'utf8')).replace('edit: { /commands: [] }', 'remove: [/absent]'))
  const { digest } = await loadSuite(join(broken, 'suite'))
  await rewriteRecord(broken, ({ header, ...record }) => ({
    ...record,
    header: { ...header, suite: { ...header.suite, digest } },
  }))
  await certifyAnew(broken, signer.privatePath)
  hasFinding(t, await verify(broken), 'altered', /^suite cannot be resolved \(/)
})

t.test('a certificate for one challenge is rejected for another', async (t) => {
  const out = join(folder, 'challenged')
  const flags = {
    suite,
    out,
    signer: 'A. Signer',
    key: signer.privatePath,
    protocolVersion: 35,
    challenge: 'drawn by lot: 4711',
  }
  const certified = await call(() => certifyCommand(flags, false))
  t.equal(certified.code, 0, certified.stderr)
  const path = join(out, 'latest')
  const verified = (challenge?: string): Promise<CalledCommand> =>
    call(() => verifyCommand(path, { suite, key: signer.publicPath, ...(challenge && { challenge }) }, false))
  t.match(await verified(), { code: 0, stdout: '! the seed follows from the challenge "drawn by lot: 4711"' })
  t.match(await verified('drawn by lot: 4711'), { code: 0, stdout: /^Verified: .*\n$/m })
  const other = await verified('drawn by lot: 4712')
  t.match(other, { code: 1, stdout: 'x the run used a different challenge: "drawn by lot: 4711"' })
  const { stdout, code } = await call(() =>
    verifyCommand(bundle, { suite, key: signer.publicPath, challenge: 'x' }, false),
  )
  t.match({ stdout, code }, { code: 1, stdout: 'x the run used no challenge' })
  const refused = async (wanted: RegExp, more: Flags): Promise<void> => {
    t.match(await call(() => certifyCommand({ ...flags, ...more }, false)), { code: 2, stderr: wanted })
  }
  await refused(/certify: --seed and --challenge exclude each other/, { seed: '1' })
  await refused(/certify: --challenge takes a string of 1 to 200 characters/, { challenge: ' ' })
})
