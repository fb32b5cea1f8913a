/** Participants that reject support operations during a run: the run is incomplete and reports the rows without evidence. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { controlled } from '../../support/ledgers/controlled-environment.js'
import { callRun } from '../../support/processes/called-command.js'
import { conformIn } from '../../support/processes/conform-process.js'
import { writeDecliningSuite } from '../../support/suites/declining-suite.js'

const suite = await writeDecliningSuite(t.testdir())

async function rejecting(t: Test, fault: { operation: string; status: number }): Promise<string> {
  const { url, control } = await controlled(t)
  const { status } = await control('POST /faults', { kind: 'status', ...fault })
  t.equal(status, 200)
  return url
}

t.test('a run is incomplete if the participant rejects the reads of the ledger', async (t) => {
  const target = await rejecting(t, { operation: '/v2/updates', status: 500 })
  const out = t.testdir()
  const options = ['--suite', suite, '--target', target, '--out', out, '--only', 'SUB-ACCEPTED', '--late-check', '0']
  const run = (...more: string[]) => conformIn({ folder: out }, 'run', ...options, ...more)
  const { code, stdout } = await run()
  const why = '1 row has no late-effects check: the participant did not answer the read of the ledger after the row.'
  t.match({ code, stdout }, { code: 5, stdout: why })
  t.match(await readFile(join(out, 'latest', 'summary.md'), 'utf8'), why)
  t.match(await run('--unreachable', 'updates'), { code: 0 }, 'the settings disable these reads')
})

t.test('a run is incomplete if the participant rejects an external party', async (t) => {
  const target = await rejecting(t, { operation: '/v2/parties/external/allocate', status: 400 })
  const { code, stdout } = await callRun(t, {
    suite,
    target,
    out: t.testdir(),
    only: ['LOOK-DECLINED/party'],
    profile: 'canton-3.5',
  })
  t.match({ code, stdout }, { code: 5, stdout: /the fixture pia failed: POST \S+ returned 400/ })
})
