import t from 'tap'
import { observedRun } from '../../learn/observed-run.js'
import type { RunRow } from '../../record/types/record.js'
import type { WireForm } from '../../record/types/resolved-row.js'
import { sampleRecord } from '../support/records/sample-record.js'
import { sampleRow, sampleStep } from '../support/records/sample-row.js'

t.test('the order of the members of a recorded request is not compared', async (t) => {
  const withWire = (wire: WireForm): RunRow => {
    const step = sampleStep()
    return sampleRow('CASE/row', {}, { steps: [{ ...step, request: { ...step.request, wire } }] })
  }
  const run = observedRun(await sampleRecord([withWire({ expect: true, chunked: true })]))
  t.ok(run.rows[0]?.fits(withWire({ chunked: true, expect: true }).resolved))
  t.notOk(run.rows[0]?.fits(withWire({ chunked: true }).resolved))
})
