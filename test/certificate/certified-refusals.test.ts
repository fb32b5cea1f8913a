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
import type { Evidence, RecordedExchange, RunRecord, RunRow } from '../../record/types/record.js'
import { startSimulator } from '../../simulator/simulator.js'
import { type AlteredRecord, findingsAfter, keyFiles, verifyOptions } from '../support/bundles/certified-bundle.js'
import { type Alteration, eachRow, header } from '../support/bundles/re-signed.js'
import { guarded, right, sign } from '../support/ledgers/guarded-environment.js'
import { type CalledCommand, call } from '../support/processes/called-command.js'
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
  const passed = record.rows.filter(({ verdict }) => verdict === 'pass')
  const [first] = passed.map(({ id }) => id).sort() // the order of rows is random
  const refused = (change: (one: Evidence) => Evidence) => (altered: RunRecord) =>
    eachExchange(altered, (one) =>
      one.evidence.response?.status === 400 && one.purpose !== 'operations'
        ? { ...one, evidence: change(one.evidence) }
        : one,
    )
  await areNamed(t, bundle, [
    {
      what: 'a sent row recorded as not applicable for a declined fixture that it does not need',
      change: (record) => {
        const reason = reasonsOf(record)['LOOK-DECLINED/by-key']
        return eachRow(record, (row) => (row.id === first ? notSent(row, reason) : row))
      },
      named: /^rows\[[\w/-]+\]\.verdict is recorded as "not-applicable", but "fail" follows/,
    },
    {
      what: 'the exchanges of declined fixtures removed',
      change: (altered) => ({
        ...altered,
        exchanges: (altered.exchanges ?? []).filter(({ purpose }) => purpose !== 'fixtures' && purpose !== 'parties'),
      }),
      named: /^exchanges\[\d+\]\.request\.\w+ is recorded as .*, but .*\/v2\/parties" follows/,
    },
    {
      what: 'another answer named in the reason',
      change: (altered) =>
        eachRow(altered, (row) => ({
          ...row,
          ...(row.reason?.code === 'fixture-declined' &&
            row.reason.because.code === 'step-declined' && {
              reason: { ...row.reason, because: { ...row.reason.because, status: 403 } },
            }),
        })),
      named: /^rows\[LOOK-DECLINED\/by-key\]\.reason\.because\.status is recorded as 403, but 400 follows/,
    },
    {
      what: 'the exchange of another request',
      change: refused((one) => ({ ...one, request: refusedRequest(record) })),
      named: /^exchanges\[\d+\]\.request\.url is recorded as .*contract-by-id", but .*submit-and-wait" follows/,
    },
    {
      what: 'an exchange of a server error',
      change: refused((one) => ({ ...one, ...withStatus(one.response, 500) })),
      named: /^rows\[LOOK-DECLINED\/by-key\]\.verdict is recorded as "not-applicable", but "blocked" follows/,
    },
    {
      what: 'the party of another run',
      change: refused((one) => ({ ...one, request: withText(one.request, record.header.run, 'ffffffff') })),
      named: /^exchanges\[\d+\]\.request\.body is recorded as .*-ffffffff/,
    },
    {
      what: 'a used fixture shown as declined',
      change: (altered) => {
        const declined = altered.exchanges?.find(
          ({ purpose, evidence }) => purpose === 'fixtures' && evidence.response?.status === 400,
        )?.evidence.response
        return eachExchange(altered, (one) =>
          one.purpose === 'fixtures' && declined ? { ...one, evidence: { ...one.evidence, response: declined } } : one,
        )
      },
      named: /^rows\[[\w/-]+\]\.verdict is recorded as "pass", but "(?:blocked|not-applicable)" follows/,
    },
  ])
})

const eachExchange = (record: RunRecord, change: (one: RecordedExchange) => RecordedExchange): RunRecord => ({
  ...record,
  exchanges: (record.exchanges ?? []).map(change),
})

const withText = (request: Evidence['request'], from: string, to: string): Evidence['request'] => ({
  ...request,
  ...(request.body?.text !== undefined && { body: { ...request.body, text: request.body.text.replaceAll(from, to) } }),
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
      named: /^rows\[SUB-REFUSED\/empty\]\.verdict is recorded as "not-applicable", but "fail" follows/,
    },
    {
      what: 'a right withheld that the target listed',
      change: (record) => {
        const poorer = callers.map((one) => (one.user === 'reader' ? { ...one, rights: [] } : one))
        return header(record, { callers: poorer })
      },
      named: /^header\.callers\[\d\]\.rights\[0\] is recorded as nothing, but "CanReadAsAnyParty" follows/,
    },
    {
      what: 'a right that the target did not list',
      change: (record) =>
        header(record, {
          callers: callers.map((one) => (one.user === 'poor' ? { ...one, rights: ['ParticipantAdmin'] } : one)),
        }),
      named: /^header\.callers\[\d\]\.rights\[0\] is recorded as "ParticipantAdmin", but nothing follows/,
    },
    {
      what: 'the exchanges for rights removed',
      change: (altered) => ({
        ...altered,
        exchanges: (altered.exchanges ?? []).filter(({ purpose }) => purpose !== 'rights'),
      }),
      named: /^exchanges\[\d+\]\.request\.\w+ is recorded as .*, but .*\/v2\/users\/.*\/rights" follows/,
    },
    {
      what: 'the exchange of another user',
      change: (altered) => {
        const poor = altered.exchanges?.find(({ evidence: { request } }) => request.url.endsWith('/users/poor/rights'))
        return eachExchange(altered, (one) =>
          one.purpose === 'rights' && poor ? { ...one, evidence: poor.evidence } : one,
        )
      },
      named: /^exchanges\[\d+\]\.request\.url is recorded as .*\/users\/poor\/rights", but .*\/rights" follows/,
    },
    {
      what: 'the user of an actor that shares it with other actors replaced',
      change: (record) =>
        header(record, {
          callers: callers.map((one) => (one.actor === 'loner' ? { ...one, user: 'other', declared: true } : one)),
        }),
      named: /^header\.callers\[\d\]\.user is recorded as "other", but "participant_admin" follows/,
    },
  ])
})

const notSent = (row: RunRow, reason: Reason | undefined): RunRow => ({
  ...row,
  ...(reason && { reason }),
  verdict: 'not-applicable',
  judgements: [],
  evidence: [],
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
    /^Not certified: conform verify would not confirm the bundle .*:\n(?:! .*\n)*! \d+ of \d+ verdicts cannot be/m,
  )
  t.notMatch(certified.stdout, 'Verify it with')
  t.notOk((await readdir(join(out, 'latest'))).includes(certificateName))
})
