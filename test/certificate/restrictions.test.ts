/** Settings by which a run examines less: `verify` prints each, and ends with 5 for those that `certify` rejects. */
import t from 'tap'
import { restrictionsOf } from '../../certificate/restrictions.js'
import type { RunHeader } from '../../record/types/record.js'
import { sampleRecord } from '../support/records/sample-record.js'

const { header } = await sampleRecord()
const { url, authorization } = header.target
const target = { url, authorization, embedded: false }
const usual = { ...header, target, options: {}, timeLimits: { exchange: 1, lateLook: 3000 } }
const before = restrictionsOf(usual).map(({ what }) => what)

const permitted: [change: Partial<RunHeader>, what: RegExp][] = [
  [{ options: { redactions: 1 } }, /^1 pattern of the settings redacted the record$/],
  [
    { timeLimits: { exchange: 1, lateLook: 0 } },
    /^the ledger was read for late effects 0 s after each row; 3 s is usual$/,
  ],
  [{ timeLimits: { exchange: 1 } }, /^the record does not state how late the ledger was read/],
  [{ target: { ...target, embedded: true } }, /^the target is the simulator/],
  [
    { target: { ...target, file: { name: '', unreachable: ['prepare'], presigned: 0 } } },
    /^these operations were not called: prepare$/,
  ],
  [
    { target: { ...target, file: { name: 'a', unreachable: [], presigned: 2 } } },
    /^2 transactions came from elsewhere, presigned$/,
  ],
]

const forbidden: [change: Partial<RunHeader>, what: RegExp][] = [
  [{ only: 'SAW-*', selection: { only: ['SAW-*'] } }, /^only rows that match "SAW-\*" were run$/],
  [{ resumes: ['earlier'] }, /^the run resumed another one/],
  [{ merged: [] }, /^the record was merged from several runs$/],
  [{ minJudged: 1 }, /^at least 1 row had to be judged/],
]

t.test('verify names each setting by which a run examined less', async (t) => {
  for (const [isForbidden, changes] of [
    [false, permitted],
    [true, forbidden],
  ] as const)
    for (const [change, what] of changes) {
      const [found, ...more] = restrictionsOf({ ...usual, ...change }).filter((one) => !before.includes(one.what))
      t.match(found, { what, isForbidden })
      t.strictSame(more, [], String(what))
    }
})
