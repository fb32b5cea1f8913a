/** Where a target is: what a setting may say. */
import t from 'tap'
import { readUrl, TargetSettingError } from '../../../runner/target/target.js'

t.test('the URL of a target is understood, or refused without telling a secret', async (t) => {
  t.equal(readUrl('https://example.com/base//'), 'https://example.com/base')
  const refused: [url: string, told: string][] = [
    ['example.com', 'target: example.com is no http or https URL, such as http://127.0.0.1:7575'],
    ['ftp://me:hidden@a.b', 'target: ftp://…@a.b is no http or https URL, such as http://127.0.0.1:7575'],
    ['http://me:hidden@example.com', 'target: a URL with a user or a password is not supported; use authorization'],
    ['http://a.b/?c=d', 'target: http://a.b/?… must end with its path; the operations are below it'],
    ['http://a.b/#c', 'target: http://a.b/?… must end with its path; the operations are below it'],
  ]
  for (const [url, told] of refused) t.throws(() => readUrl(url), new TargetSettingError(told))
})
