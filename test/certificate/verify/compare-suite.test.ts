/** Equality of planned rows: the members that a request shows have an order, other members do not, and positions do not count. */
import t from 'tap'
import { isSamePlan } from '../../../certificate/verify/compare-suite.js'

t.test('differences that affect a request count', (t) => {
  const row = { id: 'A', steps: [{ request: { json: { a: 1, b: [1, 2] } } }], needs: undefined }
  t.ok(isSamePlan(row, structuredClone(row)))
  t.ok(isSamePlan(row, { steps: row.steps, id: 'A' }), 'order of members, absent members')
  t.ok(isSamePlan({ a: 1, source: { line: 1 } }, { source: { line: 2 }, a: 1 }), 'positions')
  const others = [
    { ...row, id: 'B' },
    { ...row, needs: [] },
    { ...row, steps: [{ request: { json: { b: [1, 2], a: 1 } } }] },
    { ...row, steps: [{ request: { json: { a: 1, b: [2, 1] } } }] },
    { ...row, steps: [...row.steps, {}] },
    { ...row, steps: { 0: row.steps[0] } },
    { ...row, steps: null },
    JSON.parse('{"id":"A","__proto__":{}}'),
  ]
  t.notOk(isSamePlan(JSON.parse('{"__proto__":{},"x":{}}'), { x: {}, y: {} }), 'a member of the prototype')
  for (const other of others) {
    t.notOk(isSamePlan(row, other), JSON.stringify(other))
    t.notOk(isSamePlan(other, row), JSON.stringify(other))
  }
  t.end()
})
