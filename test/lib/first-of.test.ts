import t from 'tap'
import { firstOf } from '../../lib/first-of.js'

t.test('one item stands for the items behind the limit', async (t) => {
  const more = (left: number): string => `and ${left} more`
  t.strictSame(firstOf(['a', 'b', 'c'], 1, more), ['a', 'and 2 more'])
  t.strictSame(firstOf(['a', 'b'], 2, more), ['a', 'b'])
  t.strictSame(firstOf([], 2, more), [])
})
