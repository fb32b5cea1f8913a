/** `verify` exits with 5 for settings that `certify` rejects. */
import t from 'tap'
import { restrictionsOf } from '../../certificate/restrictions.js'
import type { RunHeader } from '../../record/types/record.js'
import { sampleRecord } from '../support/records/sample-record.js'

const { header } = await sampleRecord()
const { url, authorization } = header.target
const target = { url, authorization, embedded: false }
const usual = { ...header, target, options: {}, timeLimits: { exchange: 1, lateCheck: 3000 } }
const before = restrictionsOf(usual).map(({ what }) => what)

const permitted: [change: Partial<RunHeader>, what: RegExp][] = [
  [{ options: { redactions: 1 } }, /^1 pattern in the settings redacted parts of the record$/],
  [{ timeLimits: { exchange: 1, lateCheck: 0 } }, /^late effects were checked 0 s after each row; the default is 3 s$/],
  [{ timeLimits: { exchange: 1 } }, /^the record does not state the delay of the late-effects check$/],
  [{ target: { ...target, embedded: true } }, /^the target is the embedded simulator$/],
  [{ target: { ...target, connection: { clientCertificate: true } } }, /^the run sent a client certificate$/],
  [
    { target: { ...target, file: { name: '', unreachable: ['prepare'], presigned: 0 } } },
    /^these operations were not called: prepare$/,
  ],
  [
    { target: { ...target, file: { name: 'a', unreachable: [], presigned: 2 } } },
    /^2 transactions used signatures from outside the run$/,
  ],
  [
    { target: { ...target, file: { name: 'a', unreachable: [], presigned: 0, given: ['ping', 'own'] } } },
    /^the settings state the values of ping, own, so no response of the run confirms them$/,
  ],
]

const forbidden: [change: Partial<RunHeader>, what: RegExp][] = [
  [{ only: 'SAW-*', selection: { only: ['SAW-*'] } }, /^only rows that match "SAW-\*" were run$/],
  [{ resumes: ['earlier'] }, /^the run resumed an earlier run and kept its rows$/],
  [{ merged: [] }, /^the record was merged from several runs$/],
  [{ minJudged: 1 }, /^the run required verdicts for only 1 row, not for all$/],
]

t.test('verify names each setting that reduces the examination', async (t) => {
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
