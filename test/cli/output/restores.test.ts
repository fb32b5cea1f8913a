/** Runs whose rows cannot restore their changes: rejected, in an outage, or without a journal. */
import { mkdir, readdir, symlink } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { readRun } from '../../../cli/output/read-run.js'
import { readRecord } from '../../../record/file/read-record.js'
import type { RunRecord } from '../../../record/types/record.js'
import { type VettingEnvironment, vettingEnvironment } from '../../support/ledgers/vetting-environment.js'
import { callRun } from '../../support/processes/called-command.js'
import { listen } from '../../support/servers/raw-target.js'
import { suiteRun } from '../../support/suites/suite-run.js'

const update = '/v2/package-vetting/update'
const only = 'VET-APPLY/*'

/** How the gateway handles an update that vets: forwards it, resets the connection, or answers itself. */
type Deed = 'hand on' | 'drop' | { status: number; body: string }

/** `decide` is called for each update that vets packages again, which is how rows and runs restore. */
async function gate(t: Test, url: string, decide: () => Deed): Promise<string> {
  // Until the version was requested twice.
  let isGone = false
  let failedVersions = 0
  const server = createServer((request, response) => {
    void (async () => {
      const body = await text(request)
      const { method = '', url: path = '', headers } = request
      const vets = path === update && body.includes('"Vet"') && !body.includes('"dryRun":true')
      const deed = vets && !isGone ? decide() : 'hand on'
      if (deed === 'drop') isGone = true
      if (isGone) {
        if (path === '/v2/version') failedVersions += 1
        if (failedVersions === 2) isGone = false
        return void request.socket.destroy()
      }
      if (typeof deed === 'object') return void response.writeHead(deed.status).end(deed.body)
      const { 'content-type': type = 'application/json', accept = '*/*' } = headers
      const own = { method, headers: { 'content-type': type, accept }, ...(body !== '' && { body }) }
      const answer = await fetch(`${url}${path}`, own)
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' })
      response.end(await answer.text())
    })().catch(() => request.socket.destroy())
  })
  return listen(t, server)
}

async function environmentOf(t: Test): Promise<{ environment: VettingEnvironment; before: string }> {
  const environment = await vettingEnvironment()
  t.teardown(() => environment.close())
  return { environment, before: await environment.vetting() }
}

const verdictsOf = ({ rows }: Pick<RunRecord, 'rows'>): string[] => rows.map(({ verdict }) => verdict)

t.test('a change that a row could not restore is restored before the next row', async (t) => {
  const { environment, before } = await environmentOf(t)
  const out = t.testdir()
  for (const [index, deed] of ([{ status: 409, body: '{}' }, { status: 503, body: '{}' }, 'drop'] as const).entries()) {
    let updates = 0
    const url = await gate(t, environment.simulator.url, () => {
      updates += 1
      return updates === 1 ? deed : 'hand on'
    })
    const own = join(out, String(index))
    const { code, stderr } = await callRun(t, { only, out: own, target: url, seed: 'same' })
    const record = await readRun(own)
    t.equal(await environment.vetting(), before)
    t.notOk((await readdir(join(own, 'latest'))).includes('changes.ndjson'))
    if (deed === 'drop') {
      t.strictSame([code, verdictsOf(record)], [0, ['pass', 'pass']], 'it is sent again after the outage')
      continue
    }
    t.strictSame([code, verdictsOf(record)], [5, ['blocked', 'pass']], JSON.stringify(deed))
    t.match(record.rows[0]?.reason, { code: 'not-restored' })
    t.match(
      stderr,
      /^! Rows changed the vetting: conformance-dependent 1\.0\.0 is not vetted, but was vetted before\. The run restored it\.$/m,
    )
  }
})

t.test('no row runs on a target whose state cannot be restored', async (t) => {
  const { environment, before } = await environmentOf(t)
  const secret = 'Bearer-of-the-gate'
  let refuses = true
  const refusal = { status: 409, body: JSON.stringify({ cause: `no, ${secret}` }) }
  const url = await gate(t, environment.simulator.url, () => (refuses ? refusal : 'hand on'))
  const out = t.testdir()
  const flags = { out, target: url, redact: [secret] }
  const { code, stdout, stderr } = await callRun(t, { ...flags, only })
  const record = await readRun(out)
  t.strictSame([code, verdictsOf(record)], [1, ['blocked', 'blocked']])
  const [first, second] = record.rows
  t.match(second, {
    evidence: [],
    reason: { code: 'vetting-not-restored', rows: [first?.id] },
  })
  t.match(record.footer?.left, [/^The vetting after the rows is unknown: .*409: .*no, \[redacted/])
  t.notMatch(`${stdout}${stderr}${JSON.stringify(record)}`, secret)
  t.not(await environment.vetting(), before)
  const still = await callRun(t, { ...flags, only: 'CBI-WITNESSES/*' })
  t.equal(still.code, 1, 'it does not conform with leftover state')
  t.match(
    still.stderr,
    /^! The interrupted run \w+ \(.*\) left a changed vetting, and it is not restored: .*no, \[redacted/m,
  )
  t.notMatch(still.stdout + still.stderr, secret)
  refuses = false
  const next = await callRun(t, { ...flags, only: 'VET-NAMES/of-one-version' })
  t.match(next, { code: 0, stderr: /The vetting is restored\.$/m })
  t.equal(await environment.vetting(), before)
})

t.test('without a journal on disk the run changes nothing and performs the other rows', async (t) => {
  const { environment, before } = await environmentOf(t)
  const folder = join(t.testdir(), 'run')
  await mkdir(folder)
  await symlink('/dev/full', join(folder, 'changes.ndjson'))
  const recordFile = join(folder, 'run.ndjson')
  await suiteRun(environment.simulator.url, { recordFile, only })
  const { rows, footer } = await readRecord(recordFile)
  t.equal(rows.length, 2)
  for (const row of rows)
    t.match(
      row,
      {
        verdict: 'blocked',
        evidence: [],
        reason: { code: 'journal-unwritable', message: /cannot be written .*ENOSPC/ },
      },
      row.id,
    )
  t.match(footer, { complete: true, conforming: false })
  t.equal(await environment.vetting(), before)
})
