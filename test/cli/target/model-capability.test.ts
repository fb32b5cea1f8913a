// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of suites are written like that
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { conformanceModel } from '../../../cli/tool/conformance-model.js'
import { isJsonObject, type JsonValue, parseJson, printJson } from '../../../lib/json/json.js'
import { readRecord } from '../../../record/file/read-record.js'
import type { RunRecord } from '../../../record/types/record.js'
import { run } from '../../../runner/run/run.js'
import { defaultAccess } from '../../../runner/target/target-file.js'
import { type Simulator, type SimulatorOptions, startSimulator } from '../../../simulator/simulator.js'
import { fakeParticipant } from '../../support/servers/fake-participant.js'
import { readTarget } from '../../support/suites/plain-target.js'
import {
  accepted,
  caseOf,
  fixtureOf,
  location,
  profileOf,
  requestOf,
  rowOf,
  stepOf,
  suiteOf,
} from '../../support/suites/small-suite.js'
import { inWords } from '../../support/words/in-words.js'

const suite = suiteOf({
  actors: new Map([['operator', { name: 'operator', rights: ['ParticipantAdmin'], location }]]),
  requests: new Map([['ask', requestOf('ask', 'ledger-end')]]),
  fixtures: new Map([['alice', fixtureOf('alice', [], { party: { hint: 'alice' } })]]),
  cases: [
    caseOf('PLAIN', [rowOf('row', [stepOf(accepted)])]),
    caseOf('MODEL', [rowOf('row', [stepOf(accepted)], { needs: ['conformance-model'] })]),
    caseOf('KEYS', [rowOf('row', [stepOf(accepted)], { needs: ['conformance-model', 'contract-keys'] })]),
  ],
})

async function runOn(t: Test, url: string, mayUpload: boolean, only?: string): Promise<RunRecord> {
  const recordFile = join(t.testdir(), 'run.ndjson')
  await run(
    {
      suite,
      profile: profileOf(),
      target: readTarget(url, 'none'),
      access: defaultAccess,
      embedded: false,
      recordFile,
      tool: { name: 'test', version: '0' },
      concurrency: 2,
      timeLimit: 30_000,
      model: conformanceModel,
      ...(mayUpload && { allow: new Set(['read', 'write', 'topology', 'upload'] as const) }),
      ...(only !== undefined && { only }),
    },
    { planned: () => undefined, row: () => undefined },
  )
  return readRecord(recordFile)
}

const verdictsOf = ({ rows }: RunRecord): Record<string, string> =>
  Object.fromEntries(rows.map(({ resolved, verdict, reason }) => [resolved.case, inWords(reason) || verdict]))

async function simulator(t: Test, options: SimulatorOptions = {}): Promise<Simulator> {
  const started = await startSimulator(options)
  t.teardown(() => started.close())
  return started
}

async function ask(url: string, path: string, body?: JsonValue): Promise<JsonValue> {
  const answer = await fetch(url + path, body === undefined ? {} : { method: 'POST', body: printJson(body) })
  if (!answer.ok) throw new Error(await answer.text())
  return parseJson(await answer.text())
}

const update = (url: string, operation: JsonValue, flags: JsonValue = []): Promise<JsonValue> =>
  ask(url, '/v2/package-vetting/update', { changes: [{ operation }], updateVettedPackagesForceFlags: flags })

const named = (packageName: string, packageVersion: string): JsonValue => [{ packageName, packageVersion }]

async function knownTo(url: string): Promise<string[]> {
  const answer = await ask(url, '/v2/packages')
  const ids = isJsonObject(answer) ? answer['packageIds'] : undefined
  return Array.isArray(ids) ? ids.map(String) : []
}

t.test('without permission the run uploads nothing, and the rows name the missing packages', async (t) => {
  const { url } = await simulator(t)
  const before = await knownTo(url)
  const record = await runOn(t, url, false)
  const reason = `the row needs an upload of packages that the target lacks: conformance-model 1.0.0 is not uploaded (and ${conformanceModel.length - 1} more packages); not permitted without --allow write topology upload`
  t.strictSame(verdictsOf(record), { PLAIN: 'pass', MODEL: reason, KEYS: reason })
  t.match(record.header, {
    capabilities: { 'conformance-model': false },
    allowed: ['read', 'write', 'topology'],
    refusals: [{ permissions: ['upload'], rows: 2 }],
  })
  t.strictSame(await knownTo(url), before)
})

t.test('with permission the run uploads missing packages once, if a row needs them', async (t) => {
  const { url } = await simulator(t)
  const before = await knownTo(url)
  t.strictSame(verdictsOf(await runOn(t, url, true, 'PLAIN/*')), { PLAIN: 'pass' })
  t.strictSame(await knownTo(url), before, 'no row needs it')
  const record = await runOn(t, url, true)
  t.strictSame(verdictsOf(record), { PLAIN: 'pass', MODEL: 'pass', KEYS: 'pass' })
  t.match(record.header.capabilities, { 'conformance-model': true, 'contract-keys': true })
  const known = await knownTo(url)
  t.equal(new Set(known).size, known.length)
  // One archive contains its dependencies.
  for (const { id, title } of conformanceModel) t.ok(known.includes(id), title)
  const listed = printJson(await ask(url, '/v2/package-vetting/list', {}))
  for (const { id, vetted, title } of conformanceModel) t.equal(listed.includes(id), vetted, title)
  t.strictSame(
    verdictsOf(await runOn(t, url, false)),
    { PLAIN: 'pass', MODEL: 'pass', KEYS: 'pass' },
    'the package exists',
  )
})

t.test('unsuitable vetting is fixed if permitted, and reported otherwise', async (t) => {
  const { url } = await simulator(t)
  await runOn(t, url, true)
  const dependent = named('conformance-dependent', '1.0.0')
  const unvet = () => update(url, { Unvet: { value: { packages: dependent } } })
  const bound = () =>
    update(url, { Vet: { value: { packages: dependent, newValidUntilExclusive: '2090-01-01T00:00:00Z' } } })
  const force = () =>
    update(url, { Vet: { value: { packages: named('conformance-upgrade', '1.2.0') } } }, [
      'UPDATE_VETTED_PACKAGES_FORCE_FLAG_ALLOW_VET_INCOMPATIBLE_UPGRADES',
    ])
  const changes: [change: () => Promise<unknown>, problem: string][] = [
    [unvet, 'conformance-dependent 1.0.0 is not vetted'],
    [bound, 'conformance-dependent 1.0.0 is vetted with time bounds'],
    [force, 'conformance-upgrade 1.2.0 is vetted, but cases need it unvetted'],
  ]
  for (const [change, problem] of changes) {
    await change()
    const record = await runOn(t, url, false)
    const row = record.rows.find(({ id }) => id.startsWith('MODEL'))
    t.match(row, { verdict: 'blocked' }, problem)
    t.ok(
      inWords(row?.reason).startsWith(`${problem}. An interrupted run may have left this vetting.`),
      inWords(row?.reason),
    )
    t.equal(record.footer?.conforming, false, 'it does not conform')
    t.match(verdictsOf(await runOn(t, url, true)), { MODEL: 'pass' }, `${problem}: fixed`)
  }
})

t.test('the protocol version determines rows only after parties exist', async (t) => {
  const { url } = await simulator(t, { protocolVersion: 34 })
  const record = await runOn(t, url, true)
  t.strictSame(verdictsOf(record), {
    PLAIN: 'pass',
    MODEL: 'pass',
    KEYS: 'the target lacks the capability contract-keys: protocol version 34 does not have it',
  })
  t.match(record.header.capabilities, { 'conformance-model': true, 'contract-keys': false, 'hashing-v3': false })
  t.match(record.footer, { complete: true, conforming: true })
})

t.test('without a package list or uploads, these rows do not run', async (t) => {
  const silent = await fakeParticipant(t)
  t.match(verdictsOf(await runOn(t, silent.url, true)), {
    PLAIN: 'pass',
    MODEL: 'GET /v2/packages is not implemented (404 without the member code)',
  })
  const stubborn = await fakeParticipant(t, {
    '/v2/packages': () => ({ json: { packageIds: [] } }),
    '/v2/package-vetting/list': () => ({ json: { vettedPackages: [] } }),
  })
  const record = await runOn(t, stubborn.url, true)
  t.match(verdictsOf(record), { PLAIN: 'pass', MODEL: /conformance-model: POST \/v2\/dars returned 404/ })
  t.match(record.header, {
    capabilities: { 'conformance-model': false },
    allowed: ['read', 'write', 'topology', 'upload'],
  })
  t.notOk(record.header.refusals, 'it was permitted')
  t.match(record.footer, { complete: true, conforming: true })
})
