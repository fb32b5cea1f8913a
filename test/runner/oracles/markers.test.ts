import t from 'tap'
import { anyMarker, indexIn, markerOf } from '../../../runner/oracles/markers.js'

const marked = { row: 'SAW-SIMPLE/one', seed: 's', index: 7, again: false }

t.test('a marker contains its index, and other strings contain none', async (t) => {
  for (const again of [false, true]) {
    t.equal(indexIn(markerOf({ ...marked, run: 'abcd', again })), 7)
    t.equal(indexIn(markerOf({ ...marked, run: 'abcd', index: 1_234_567, again })), 1_234_567)
  }
  for (const other of ['', 'abcd-00007', 'abcd-x00007-abcdef']) t.equal(indexIn(other), undefined, other)
})

t.test('a run id is no pattern', async (t) => {
  for (const run of ['(', '.*', 'a|b', '\\', '((a+)+)+$']) {
    const own = markerOf({ ...marked, run })
    t.strictSame(own.match(anyMarker(run, ['.+'])), [own], run)
    t.equal(anyMarker(run, ['.+']).test(markerOf({ ...marked, run: 'other' })), false, run)
  }
})
