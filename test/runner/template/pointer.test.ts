import t from 'tap'
import type { JsonValue } from '../../../lib/json/json.js'
import { PointerError, removeAt, setAt } from '../../../runner/template/pointer.js'

t.test('a replacement has the place of its pointer, and leaves the value alone', (t) => {
  const value: JsonValue = { list: [1, 2], map: { a: 1 } }
  t.strictSame(setAt<JsonValue>(value, '/list/0', 7), { list: [7, 2], map: { a: 1 } })
  t.strictSame(setAt<JsonValue>(value, '/list/2', 7), { list: [1, 2, 7], map: { a: 1 } }, 'one past the end')
  t.strictSame(setAt<JsonValue>(value, '/list/-', 7), { list: [1, 2, 7], map: { a: 1 } }, 'behind the last item')
  t.strictSame(setAt<JsonValue>(value, '/map/b', 7), { list: [1, 2], map: { a: 1, b: 7 } })
  t.strictSame(removeAt<JsonValue>(value, '/list/0'), { list: [2], map: { a: 1 } })
  t.strictSame(value, { list: [1, 2], map: { a: 1 } })
  t.end()
})

t.test('a place that does not exist is an error', (t) => {
  const value: JsonValue = { list: [1, 2] }
  for (const pointer of ['/list/3', '/list/x', '/other/x'])
    t.throws(() => setAt<JsonValue>(value, pointer, 7), PointerError, pointer)
  for (const pointer of ['', '/list/-', '/other'])
    t.throws(() => removeAt<JsonValue>(value, pointer), PointerError, pointer)
  t.end()
})
