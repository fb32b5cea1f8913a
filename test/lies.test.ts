/** The suite finds out participants that lie: one of each kind here, and all of them by `npm run test:lies`. */
import t from 'tap'
import { foundOut } from './participants/found-out.js'
import { inventions, lies } from './participants/lies.js'
import type { Lie } from './participants/stage.js'

/** The lie, and the few rows that are tried against it. */
const tried: readonly (readonly [name: string, rows: RegExp, words?: RegExp])[] = [
  [
    'refused-then-done-submit-and-wait-2000',
    /^SAW-COMMAND-ID\/empty$/,
    /^refused with 400, yet committed: update 1220/,
  ],
  ['refused-then-done-execute-1000', /^EXE-SUBMISSION-ID\/exclamation-mark$/, /^refused with 400, yet committed/],
  ['committed-twice', /^SAW-RESULT\//, /^accepted with 200, and committed beside/],
  ['duplicates-committed', /^SAW-DUPLICATE\/same-again$/, /^refused with 409, yet committed/],
  ['deduplication-forgets-after-a-second', /^SAW-REMEMBERED\/for-an-hour$/],
  ['dry-run-applied-1000', /^VET-LASTING\/nothing-else$/],
  ['vetting-undone-later', /^VET-LASTING\/change$/],
  ['any-body-read', /^CBI-BODY\/(?:gzip|comment)$/],
  ['texts-normalised', /^SAW-TEXT-KEPT\/letter-and-accent-apart$/],
]

const named = (name: string): Lie => {
  const found = [...lies, ...inventions].find((lie) => lie.name === name)
  if (!found) throw new Error(`there is no lie ${name}`)
  return found
}

t.test('a lie is found out, by a row that cites its rule', async (t) => {
  const all = tried.map(async ([name, met, words]) => {
    const { isFound, cited, rows } = await foundOut(t, { ...named(name), met })
    t.ok(rows.length > 0 && isFound, name)
    if (words) t.match(cited[0]?.reason, words, name)
  })
  await Promise.all(all)
})

t.test('who tells the truth is not suspected by any of these rows', async (t) => {
  const met = new RegExp(tried.map(([, rows]) => rows.source).join('|'))
  const honest: Lie = { name: 'honest', sentence: '', rules: [], met, tell: ({ ask }) => ask }
  const { rows, isFound } = await foundOut(t, honest)
  t.ok(rows.length >= tried.length && isFound)
})

t.test('names are told once', async (t) => {
  const names = [...lies, ...inventions].map(({ name }) => name)
  t.equal(new Set(names).size, names.length)
  t.ok(inventions.length >= 60)
})
