/** Dry runs: the forecast equals the changes of the run. test/cli/target/targets-table.test.ts compares them on other targets. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { readRun } from '../../../../cli/output/read-run.js'
import type { Flags } from '../../../../cli/target/settings.js'
import { conformanceModel } from '../../../../cli/tool/conformance-model.js'
import type { Effects } from '../../../../record/types/effects.js'
import { ChangeJournal } from '../../../../runner/changes/journal.js'
import { startSimulator } from '../../../../simulator/simulator.js'
import { effectsOf } from '../../../support/ledgers/effects-of.js'
import { callRun } from '../../../support/processes/called-command.js'
import { requestsChange } from '../../../support/servers/changing-requests.js'
import { recordingGateway, type SeenRequest } from '../../../support/servers/gateways.js'

interface DryRun {
  rows: { run: number; notApplicable: number }
  makes: Effects
}

async function recordedSimulator(t: Test): Promise<{ url: string; seen: SeenRequest[] }> {
  const { url, close } = await startSimulator()
  t.teardown(() => close())
  return recordingGateway(t, url)
}

async function expectForecast(t: Test, seen: SeenRequest[], flags: Flags): Promise<Partial<Effects>> {
  const before = seen.length
  const { code, stdout, stderr } = await callRun(t, { ...flags, dryRun: true, json: true, out: 'no-such-folder' })
  t.equal(code, 0, stderr)
  t.strictSame(seen.slice(before).filter(requestsChange), [], 'no request changes the target')
  const forecast = JSON.parse(stdout) as DryRun // the format of --json
  const out = t.testdir({})
  const ran = await callRun(t, { ...flags, out })
  t.equal(ran.code, 0, ran.stdout + ran.stderr)
  const { rows, ...record } = await readRun(out)
  const done = effectsOf(record)
  t.strictSame(forecast.makes, done)
  const left = rows.filter(({ verdict }) => verdict === 'not-applicable').length
  t.strictSame(forecast.rows, { run: rows.length - left, notApplicable: left })
  return done
}

t.test('without authorization, with uploads', async (t) => {
  const { url, seen } = await recordedSimulator(t)
  const flags = { target: url, allow: ['write', 'topology', 'upload'] }
  const done = await expectForecast(t, seen, { ...flags, only: 'VET-DEPENDEN*' })
  t.ok((done.vetting?.length ?? 0) > 3, 'vetting is changed')
  t.equal(done.packages?.length, conformanceModel.length)
  t.strictSame((await expectForecast(t, seen, { ...flags, only: 'CBI-RE*' })).packages, [], 'the packages exist')
})

t.test('with --allow read', async (t) => {
  const { url, seen } = await recordedSimulator(t)
  t.strictSame(await expectForecast(t, seen, { target: url, allow: ['read'], only: 'VET-CHANGES/*' }), nothing)
})

t.test('beside a run in progress, keeps its journal', async (t) => {
  const { url } = await recordedSimulator(t)
  const out = t.testdir({})
  const inProgress = join(out, 'in-progress')
  const journal = await ChangeJournal.create(inProgress, { run: 'abcd', url, at: '2026-01-01T00:00:00Z' })
  const { code, stderr } = await callRun(t, { target: url, only: 'CBI-RE*', dryRun: true, out })
  t.equal(code, 0, stderr)
  t.strictSame(await readdir(inProgress), ['changes.ndjson'])
  await journal.close(true)
})

t.test('the default output is text', async (t) => {
  const { url } = await recordedSimulator(t)
  const { code, stdout } = await callRun(t, { target: url, only: 'CBI-RE*', dryRun: true })
  t.equal(code, 0)
  t.match(stdout, /^Dry run: nothing was changed\.\n\d+ rows? would run on /)
  t.match(stdout, /\n {2}3 parties: alice-<run>, bob-<run>, carol-<run>\n/)
  t.match(stdout, /\n\d+ requests?, about \d+ s/)
})

const nothing: Effects = {
  parties: [],
  users: [],
  rights: [],
  contracts: [],
  packages: [],
  vetting: [],
  transactions: 0,
}
