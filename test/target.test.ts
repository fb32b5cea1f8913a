/** Where a target is, and how callers identify themselves there: what a setting may say. */
import t from 'tap'
import { readTarget, TargetSettingError } from '../runner/target/target.js'

const secret = 'a secret of some length'

t.test('settings of a target are understood, or refused without telling a secret', async (t) => {
  t.match(readTarget('https://example.com/base//', `hs256:${secret}`), {
    url: 'https://example.com/base',
    authorization: { kind: 'minted', key: { kind: 'hs256', secret } },
    administrator: 'participant_admin',
  })
  t.strictSame(readTarget('http://127.0.0.1:1', 'none').authorization, { kind: 'none' })
  const refused: [url: string, authorization: string, told: string][] = [
    ['example.com', 'none', 'target: example.com is no http or https URL, such as http://127.0.0.1:7575'],
    ['ftp://me:hidden@a.b', 'none', 'target: ftp://…@a.b is no http or https URL, such as http://127.0.0.1:7575'],
    [
      'http://me:hidden@example.com',
      'none',
      'target: a URL with a user or a password is not supported; use authorization',
    ],
    ['http://a.b/?c=d', 'none', 'target: http://a.b/?c=d must end with its path; the operations are below it'],
    ['http://a.b/#c', 'none', 'target: http://a.b/#c must end with its path; the operations are below it'],
    ['http://a.b', 'hs256:', 'authorization: expected none or hs256:SECRET'],
    ['http://a.b', 'hidden', 'authorization: expected none or hs256:SECRET'],
  ]
  for (const [url, authorization, told] of refused) {
    t.throws(() => readTarget(url, authorization), new TargetSettingError(told))
  }
})
