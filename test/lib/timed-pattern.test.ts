/** A search begins at each character of the text, which is one choice more than a match of the whole text. */
import t from 'tap'
import { inTime } from '../../lib/redaction/timed-pattern.js'

t.test('a search with two choices has a time limit, and a match of the whole text needs none', async (t) => {
  const [source, text] = ['a*a*b', 'a'.repeat(1000)]
  const search = (): number => text.search(/a*a*b/)
  t.equal(inTime({ source, text, isSearch: true, limit: 1 }, search), undefined)
  const match = (): boolean => /^(?:a*a*b)$/.test(text)
  t.equal(inTime({ source, text, limit: 1 }, match), false)
})
