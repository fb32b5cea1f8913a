/** A rejection counts only if the operation accepts a valid request in the same run. */
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { operations } from '../../interface/operations.js'
import { readRecord } from '../../record/file/read-record.js'
import { mergeRecords } from '../../record/merge/merge-records.js'
import type { RunRecord, RunRow } from '../../record/types/record.js'
import { judgeAgain } from '../../runner/judge/judge-again.js'
import { judgeBy } from '../../runner/run/expectations-by.js'
import { startSimulator } from '../../simulator/simulator.js'
import { callRun } from '../support/processes/called-command.js'
import { recordingGateway } from '../support/servers/gateways.js'
import { profileNamed, wholeSuite } from '../support/suites/whole-suite.js'
import { inWords } from '../support/words/in-words.js'

const simulator = await startSimulator({})
t.teardown(() => simulator.close())

const refusals = ['SAW-COMMANDS/empty', 'CBI-NO-CONTRACT-ID/*']

async function recordOf(
  t: Test,
  target: string,
  flags: Record<string, unknown>,
): Promise<{ code: number; record: RunRecord }> {
  const out = t.testdir()
  const { code } = await callRun(t, { target, out, lateCheck: '0', ...flags })
  return { code, record: await readRecord(join(out, 'latest', 'run.ndjson.br')) }
}

const verdicts = (rows: readonly RunRow[]): string[] => [...new Set(rows.map(({ verdict }) => verdict))]
const reasons = (rows: readonly RunRow[]): string[] => [...new Set(rows.map(({ reason }) => inWords(reason)))]

t.test('rows that expect rejections require the controls of their operations', async (t) => {
  const { code, record } = await recordOf(t, simulator.url, { only: refusals })
  t.equal(code, 0)
  t.strictSame(verdicts(record.rows), ['pass'])
  t.strictSame(record.header.controls?.map(({ fixture, evidence }) => [fixture, evidence.response?.status]).sort(), [
    ['accepted-lookup', 200],
    ['accepted-submission', 200],
  ])
  await t.test('the record alone leads to the same conclusion', async (t) => {
    t.strictSame(verdicts(judgeAgain(record).rows), ['pass'])
    const { controls = [], ...header } = record.header
    const without = { ...record, header }
    t.strictSame(verdicts(judgeAgain(without).rows), ['blocked'], 'without any control')
    t.strictSame(
      verdicts(judgeBy(without, profileNamed('interface'), wholeSuite).rows),
      ['blocked'],
      'by another profile too',
    )
    const refused = controls.map((control) => {
      const { response } = control.evidence
      return {
        ...control,
        evidence: { ...control.evidence, ...(response && { response: { ...response, status: 400 } }) },
      }
    })
    const altered = { ...record, header: { ...header, controls: refused } }
    t.strictSame(verdicts(judgeAgain(altered).rows), ['blocked'], 'with controls that were refused')
  })
  await t.test('also where runs are merged', async (t) => {
    const other = await recordOf(t, simulator.url, { only: ['CBI-CONTRACT-ID-FORM/*'] })
    const { header, rows } = mergeRecords([record, other.record])
    t.equal(header.controls?.length, 3)
    t.strictSame(verdicts(judgeAgain({ header, rows, defects: [] }).rows), ['pass'])
  })
})

t.test('if an operation rejects every request, one cause blocks its rejection rows', async (t) => {
  const { path } = operations['submit-and-wait']
  const text = '{"code":"NOT_TODAY"}'
  const { url, seen } = await recordingGateway(t, simulator.url, (request) => request.path === path, 400, text)
  for (const profile of ['canton-3.5', 'interface'])
    await t.test(profile, async (t) => {
      seen.length = 0
      const { code, record } = await recordOf(t, url, { only: ['SAW-COMMANDS/*'], profile })
      t.ok(code === 1 || code === 5, `exit code ${code}`)
      const refused = record.rows.filter(({ resolved }) => resolved.control !== undefined)
      t.ok(refused.length > 3)
      t.strictSame(verdicts(refused), ['blocked'])
      t.strictSame(reasons(refused), [
        `submit-and-wait accepted no valid request in this run: POST ${path} returned 400: ${text}`,
      ])
      const sent = seen.filter((request) => request.path === path).length
      t.equal(sent, 2 + record.rows.length - refused.length, 'presence, control, and rows that must be accepted')
    })
})

t.test('a lookup is blocked if no contract can be created', async (t) => {
  const { path } = operations['submit-and-wait']
  const { url } = await recordingGateway(t, simulator.url, (request) => request.path === path, 500, 'out of order')
  const { record } = await recordOf(t, url, { only: ['CBI-NO-CONTRACT-ID/*'] })
  t.strictSame(verdicts(record.rows), ['blocked'])
  t.match(reasons(record.rows), [/^the fixture ping failed: .*500 out of order/])
})

t.test('a control requires the same permission as other requests', async (t) => {
  const { record } = await recordOf(t, simulator.url, {
    only: ['CBI-NO-CONTRACT-ID/*', 'VET-CHANGES/empty'],
    allow: ['read'],
  })
  const lookups = record.rows.filter(({ resolved }) => resolved.operation === 'contract-by-id')
  t.strictSame(verdicts(lookups), ['not-applicable'])
  t.match(reasons(lookups), [/not permitted without --allow write$/])
  t.strictSame(
    record.header.controls?.map(({ fixture }) => fixture),
    ['vetting'],
    'a dry run changes nothing',
  )
})

t.test('with authorization the control is sent with a token', async (t) => {
  const secured = await startSimulator({ authorization: 'hs256:secret' })
  t.teardown(() => secured.close())
  const { record } = await recordOf(t, secured.url, { only: ['SAW-TOKEN/none'], authorization: 'hs256:secret' })
  t.strictSame(verdicts(record.rows), ['pass'])
  t.strictSame(
    record.header.controls?.map(({ evidence }) => evidence.response?.status),
    [200],
  )
})
