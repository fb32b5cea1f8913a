import t from 'tap'
import { anyMarker, markerOf } from '../../../runner/oracles/markers.js'

const marked = { row: 'SAW-SIMPLE/one', seed: 's', index: 7, again: false }

t.test('a run id is no pattern', async (t) => {
  for (const run of ['(', '.*', 'a|b', '\\', '((a+)+)+$']) {
    const own = markerOf({ ...marked, run })
    t.strictSame(own.match(anyMarker(run, ['.+'])), [own], run)
    t.equal(anyMarker(run, ['.+']).test(markerOf({ ...marked, run: 'other' })), false, run)
  }
})

t.test('a mark of any length is no fault', async (t) => {
  t.strictSame('a-mark-1'.match(anyMarker('run', ['x'.repeat(2_000_000), 'a-mark-1'])), ['a-mark-1'])
})
