/** Participants that refuse support operations in the middle of a run: it ends incomplete, and reports which rows lack evidence. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { controlled } from '../../support/ledgers/controlled-environment.js'
import { callRun } from '../../support/processes/called-command.js'
import { writeDecliningSuite } from '../../support/suites/declining-suite.js'

const suite = await writeDecliningSuite(t.testdir())

async function refusing(t: Test, fault: { operation: string; status: number }): Promise<string> {
  const { url, control } = await controlled(t)
  const { status } = await control('POST /faults', { kind: 'status', ...fault })
  t.equal(status, 200)
  return url
}

t.test('the reads of the ledger after rows are refused', async (t) => {
  const target = await refusing(t, { operation: '/v2/updates', status: 500 })
  const out = t.testdir()
  const { code, stdout } = await callRun(t, { suite, target, out, only: ['SUB-ACCEPTED'], lateLook: '0' })
  const why =
    '1 row without the late-effects check: the participant did not answer the read of the ledger after the row.'
  t.match({ code, stdout }, { code: 5, stdout: why })
  t.match(await readFile(join(out, 'latest', 'summary.md'), 'utf8'), why)
  const without = await callRun(t, {
    suite,
    target,
    out,
    only: ['SUB-ACCEPTED'],
    lateLook: '0',
    unreachable: ['updates'],
  })
  t.match(without, { code: 0 }, 'the settings do without these reads')
})

t.test('the allocation of a party with keys of its own is refused', async (t) => {
  const target = await refusing(t, { operation: '/v2/parties/external/allocate', status: 400 })
  const { code, stdout } = await callRun(t, { suite, target, out: t.testdir(), only: ['LOOK-DECLINED/party'] })
  t.match(
    { code, stdout },
    { code: 5, stdout: /the fixture pia could not be made: allocate-external-party .* with 400/ },
  )
})
