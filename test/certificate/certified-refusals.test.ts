/** `verify` derives the reasons of unsent rows. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { certificateName } from '../../certificate/bundle.js'
import type { BundleFinding } from '../../certificate/finding.js'
import { certifyCommand } from '../../cli/commands/certify-command.js'
import { verifyCommand } from '../../cli/commands/verify-command.js'
import { readRun } from '../../cli/output/read-run.js'
import type { Flags } from '../../cli/target/settings.js'
import { findOverrides } from '../../lab/find-overrides.js'
import type { Reason } from '../../record/types/reason.js'
import type { RunRecord, RunRow } from '../../record/types/record.js'
import { startSimulator } from '../../simulator/simulator.js'
import { guarded, right, sign } from '../support/ledgers/guarded-environment.js'
import { type CalledCommand, call } from '../support/processes/called-command.js'
import { type AlteredRecord, findingsAfter, keyFiles, verifyOptions } from '../support/records/certified-bundle.js'
import { type Alteration, eachRow, header } from '../support/records/re-signed.js'
import { writeDecliningSuite } from '../support/suites/declining-suite.js'

const folder = t.testdir({ suite: {} })
const suite = await writeDecliningSuite(join(folder, 'suite'))
const signer = await keyFiles(folder, 'signer')
const options = verifyOptions(suite, signer.publicKey)

function certify(out: string, more: Flags): Promise<CalledCommand> {
  const flags = {
    suite,
    out,
    signer: 'A. Signer',
    key: signer.privatePath,
    profile: 'interface',
    lateCheck: '0',
    ...more,
  }
  return call(() => certifyCommand(flags, false))
}

async function areNamed(t: Test, bundle: string, alterations: readonly Alteration[]): Promise<void> {
  const findings = async (alteration: AlteredRecord): Promise<BundleFinding[]> =>
    (await findingsAfter(bundle, alteration, await options)).filter(({ kind }) => kind !== 'stated')
  t.strictSame(await findings({}), [], 'an unaltered record has no findings')
  for (const alteration of alterations) {
    const found = await findings(alteration)
    t.ok(
      found.some(({ what }) => alteration.named.test(what)),
      alteration.what,
      { found: found.slice(0, 5) },
    )
  }
}

const reasonsOf = ({ rows }: RunRecord): Record<string, Reason | undefined> =>
  Object.fromEntries(rows.flatMap(({ id, evidence, reason }) => (evidence.length === 0 ? [[id, reason]] : [])))

t.test('declined fixtures', async (t) => {
  const simulator = await startSimulator({
    behaviour: 'interface',
    overrides: findOverrides({ variants: ['no-exercise-by-key', 'ed25519-keys-alone'] }),
  })
  t.teardown(() => simulator.close())
  const out = join(folder, 'declined')
  const certified = await certify(out, { target: simulator.url })
  t.equal(certified.code, 0, certified.stdout + certified.stderr)
  const bundle = join(out, 'latest')
  const record = await readRun(bundle)
  t.match(reasonsOf(record), {
    'LOOK-DECLINED/by-key': declinedKey,
    'LOOK-DECLINED/shown': declinedKey,
    'LOOK-DECLINED/party': {
      code: 'fixture-declined',
      fixture: 'pia',
      because: { code: 'request-rejected', operation: 'generate-external-topology', status: 400 },
    },
  })
  const verified = await call(() => verifyCommand(bundle, { suite, key: signer.publicPath }, false))
  t.match(verified, { code: 0, stdout: /^Verified: /m })
  const [first] = record.rows.filter(({ verdict }) => verdict === 'pass')
  const declined = record.header.declined ?? []
  t.strictSame(
    declined.map(({ fixture }) => fixture),
    ['pia', 'by-key'],
  )
  await areNamed(t, bundle, [
    {
      what: 'a sent row recorded as not applicable for a declined fixture that it does not need',
      change: (record) => {
        const reason = reasonsOf(record)['LOOK-DECLINED/by-key']
        return eachRow(record, (row) => (row.id === first?.id ? notSent(row, reason) : row))
      },
      named:
        /is recorded as not-applicable, but the header contradicts the reason: the participant declines an optional feature/,
    },
    {
      what: 'the exchanges of declined fixtures removed',
      change: (record) => header(record, { declined: [] }),
      named: /^3 rows were not sent; their reasons have no evidence in the bundle: /,
    },
    {
      what: 'another answer named in the reason',
      change: (record) =>
        eachRow(record, (row) => ({
          ...row,
          ...(row.reason?.code === 'fixture-declined' &&
            row.reason.because.code === 'step-declined' && {
              reason: { ...row.reason, because: { ...row.reason.because, status: 403 } },
            }),
        })),
      named: /^LOOK-DECLINED\/by-key is recorded as not-applicable, but the header contradicts the reason/,
    },
    {
      what: 'the exchange of another request',
      change: (record) =>
        header(record, {
          declined: declined.map((one) => ({ ...one, evidence: { ...one.evidence, request: refusedRequest(record) } })),
        }),
      named: /^fixture by-key, step exercise-by-key: the [\w ]+ of the request differs from the suite/,
    },
    {
      what: 'an exchange of a server error',
      change: (record) =>
        header(record, {
          declined: declined.map((one) => ({
            ...one,
            evidence: { ...one.evidence, ...withStatus(one.evidence.response, 500) },
          })),
        }),
      named: /^LOOK-DECLINED\/by-key is recorded as not-applicable, but the header contradicts the reason/,
    },
    {
      what: 'the party of another run',
      change: (record) =>
        header(record, {
          declined: declined.map((one) => ({ ...one, evidence: { ...one.evidence, request: refusedRequest(record) } })),
        }),
      named: /^the request of the fixture pia does not name its party/,
    },
    {
      what: 'a used fixture shown as declined',
      change: (record) =>
        header(record, { declined: [...declined, ...declined.slice(1).map((one) => ({ ...one, fixture: 'known' }))] }),
      named: /^fixture known, step create: the body of the request differs from the suite/,
    },
  ])
})

const refusedRequest = ({ rows }: RunRecord): RunRecord['rows'][number]['evidence'][number]['request'] => {
  const [evidence] = rows.flatMap((row) => row.evidence)
  if (!evidence) throw new Error('the record has no evidence')
  return evidence.request
}

type Response = RunRecord['rows'][number]['evidence'][number]['response']
const withStatus = (response: Response, status: number): { response?: Exclude<Response, undefined> } =>
  response ? { response: { ...response, status } } : {}

t.test('callers without rights', async (t) => {
  const { environment, createUser, claims } = await guarded(t)
  await createUser('poor', [])
  await createUser('owner', [])
  await createUser('reader', [right('CanReadAsAnyParty')])
  // The audience contains the namespace of the participant, as do recorded parties and contracts.
  const users = { administrator: 'participant_admin', alice: 'owner', bob: 'poor', reader: 'reader' }
  const token = await Promise.all(
    Object.entries(users).map(async ([actor, user]) => `${actor}=${await sign(claims(user))}`),
  )
  const out = join(folder, 'callers')
  const certified = await certify(out, { target: environment.url, token, party: [`bob=${environment.bob}`] })
  t.equal(certified.code, 0, certified.stdout + certified.stderr)
  const bundle = join(out, 'latest')
  const record = await readRun(bundle)
  t.match(reasonsOf(record), {
    'SUB-CALLERS/bob': {
      code: 'no-suitable-user',
      actor: 'bob',
      because: { code: 'right-missing', user: 'poor', right: 'CanActAs bob' },
    },
    'SUB-CALLERS/loner': {
      code: 'no-suitable-user',
      actor: 'loner',
      because: { code: 'user-shared', user: 'participant_admin' },
    },
  })
  const verified = await call(() => verifyCommand(bundle, { suite, key: signer.publicPath }, false))
  t.match(verified, { code: 0, stdout: /^Verified: /m })
  t.notOk(record.header.redacted, 'no variable of the run is redacted')
  t.strictSame(
    record.rows.filter(({ redacted }) => redacted).map(({ id }) => id),
    [],
    'no verdict is redacted',
  )
  const callers = record.header.callers ?? []
  const rights = record.header.rights ?? []
  await areNamed(t, bundle, [
    {
      what: 'a sent row recorded as not applicable for a right that the caller has',
      change: (record) =>
        eachRow(record, (row) =>
          row.id === 'SUB-REFUSED/empty'
            ? notSent(row, {
                code: 'no-suitable-user',
                actor: 'alice',
                because: { code: 'right-missing', user: 'x', right: 'CanActAs alice' },
              })
            : row,
        ),
      named:
        /^SUB-REFUSED\/empty is recorded as not-applicable, but the header contradicts the reason: no available user can act/,
    },
    {
      what: 'a right withheld that the target listed',
      change: (record) => {
        const poorer = callers.map((one) => (one.user === 'reader' ? { ...one, rights: [] } : one))
        return header(record, { callers: poorer })
      },
      named: /^the target listed CanReadAsAnyParty for the user reader, but the header lacks this right/,
    },
    {
      what: 'a right that the target did not list',
      change: (record) =>
        header(record, {
          callers: callers.map((one) => (one.user === 'poor' ? { ...one, rights: ['ParticipantAdmin'] } : one)),
        }),
      named: /^the header states ParticipantAdmin for the user poor, but the target did not list this right/,
    },
    {
      what: 'the exchanges for rights removed',
      change: (record) => header(record, { rights: [] }),
      named: /^the bundle contains no evidence for the rights of the user poor/,
    },
    {
      what: 'the exchange of another user',
      change: (record) => {
        const [evidence] = rights.flatMap((one) => (one.user === 'poor' ? [one.evidence] : []))
        return header(record, { rights: rights.map((one) => (evidence ? { ...one, evidence } : one)) })
      },
      named: /^the exchange for the rights of the user reader has the URL of a different request/,
    },
    {
      what: 'the user of an actor that shares it with other actors replaced',
      change: (record) =>
        header(record, {
          callers: callers.map((one) => (one.actor === 'loner' ? { ...one, user: 'other', declared: true } : one)),
        }),
      named: /^SUB-CALLERS\/loner is recorded as not-applicable, but the header contradicts the reason/,
    },
  ])
})

const notSent = (row: RunRow, reason: Reason | undefined): RunRow => ({
  ...row,
  ...(reason && { reason }),
  ...{ verdict: 'not-applicable', judgements: [], evidence: [] },
})

const declinedKey = {
  code: 'fixture-declined',
  fixture: 'by-key',
  because: { code: 'step-declined', step: 'exercise-by-key', status: 400 },
}

t.test('certify leaves no certificate if verify would not confirm the bundle', async (t) => {
  const out = join(folder, 'redacted')
  const simulator = await startSimulator({ behaviour: 'interface' })
  t.teardown(() => simulator.close())
  const certified = await certify(out, { target: simulator.url, redact: ['cause'] })
  t.equal(certified.code, 5, certified.stdout + certified.stderr)
  t.match(
    certified.stderr,
    /^Not certified: conform verify would not confirm the bundle .*:\n! \d+ of \d+ verdicts cannot be/m,
  )
  t.notMatch(certified.stdout, 'Verify it with')
  t.notOk((await readdir(join(out, 'latest'))).includes(certificateName))
})
