/** A run hides a secret that is an ordinary word, and its verdicts stay the same. */
import { join } from 'node:path'
import t from 'tap'
import { readRecord } from '../../record/file/read-record.js'
import { callRun } from '../support/processes/called-command.js'

t.test('a secret that is an ordinary word is hidden, and no verdict changes', async (t) => {
  const out = t.testdir()
  const { code, stdout } = await callRun(t, {
    out,
    authorization: 'hs256:participant',
    only: ['CBI-VISIBILITY*', 'CBI-UNKNOWN*'],
  })
  t.equal(code, 0, stdout)
  const { header, rows, defects } = await readRecord(join(out, 'latest', 'run.ndjson.br'))
  t.strictSame(defects, [])
  t.ok(rows.length > 10 && header.plan.length === rows.length)
  const evidence = JSON.stringify(rows.flatMap((row) => row.evidence)).replaceAll(/\[redacted: [^\]]*\]/g, '')
  t.notMatch(evidence, /(?<![\w\u0080-\uffff])participant(?![\w\u0080-\uffff])/)
})
