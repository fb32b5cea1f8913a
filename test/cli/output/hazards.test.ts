/** Rows that may stop a faulty target: announced before, and judged by their effect. */
import { createServer } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { readRun } from '../../../cli/output/read-run.js'
import { reportRun } from '../../../cli/output/report-run.js'
import { permissionNames } from '../../../record/types/effects.js'
import { startSimulator } from '../../../simulator/simulator.js'
import { call, callRun } from '../../support/processes/called-command.js'
import { listen } from '../../support/servers/raw-target.js'
import { suiteRun } from '../../support/suites/suite-run.js'

const only = 'SAW-NESTED-VALUE/text'

/** A simulator behind a proxy that fails after a deeply nested value; if `opensAgain`, until the version is requested twice. */
async function stopping(t: Test, opensAgain: boolean, stopped: () => void): Promise<string> {
  const simulator = await startSimulator()
  t.teardown(() => simulator.close())
  let isGone = false
  let failedVersions = 0
  const server = createServer((request, response) => {
    void (async () => {
      const body = await text(request)
      if (body.includes('[[[[[[') || body.includes('"x":{"x":{"x":')) {
        stopped()
        isGone = true
      }
      const { method = '', url: path = '' } = request
      if (isGone) {
        if (path === '/v2/version') failedVersions += 1
        if (opensAgain && failedVersions === 2) isGone = false
        return void request.socket.destroy()
      }
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(`${simulator.url}${path}`, { method, headers, ...(body !== '' && { body }) })
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' })
      response.end(await answer.text())
    })().catch(() => request.socket.destroy())
  })
  return listen(t, server)
}

t.test('a hazard that stops its target permanently is a failure, printed before the outage', async (t) => {
  const happened: string[] = []
  const url = await stopping(t, false, () => happened.push('stopped'))
  const folder = t.testdir()
  const recordFile = join(folder, 'run.ndjson')
  const record = await suiteRun(
    url,
    { recordFile, only, allow: new Set(permissionNames), patience: 300 },
    { hazard: () => happened.push('announced') },
  )
  t.strictSame(happened, ['announced', 'stopped'])
  const { code, stdout } = await call(() => reportRun(record, recordFile, folder, false))
  t.equal(code, 1)
  t.match(
    stdout,
    /^The target stopped answering at .* and did not answer again\. 1 of \d planned rows are complete\.\n/m,
  )
  t.match(stdout, /FAIL.*SAW-NESTED-VALUE\/text/i)
  const { rows } = await readRun(folder)
  t.match(
    rows.find(({ id }) => id === only),
    { verdict: 'fail' },
  )
})

t.test('a hazard that stops its target temporarily is a failure', async (t) => {
  const url = await stopping(t, true, () => undefined)
  const out = t.testdir()
  const { code, stderr } = await callRun(t, { only, out, target: url, allow: ['write', 'hazard'] })
  t.match(stderr, /^sending SAW-NESTED-VALUE\/text, which may stop a faulty participant \(observed on [\d.]+ - .*\)$/m)
  t.equal(code, 1)
  t.match(
    (await readRun(out)).rows.find(({ id }) => id === only),
    { verdict: 'fail' },
  )
})
