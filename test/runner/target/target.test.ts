/** URLs of targets. */
import t from 'tap'
import { UsageError } from '../../../lib/usage-error.js'
import { readUrl } from '../../../runner/target/target.js'

t.test('an invalid target URL is rejected without its secrets', async (t) => {
  t.equal(readUrl('https://example.com/base//'), 'https://example.com/base')
  const hint = 'Write, for example, http://127.0.0.1:7575.'
  const rejected: [url: string, message: string][] = [
    ['example.com', `target: example.com is not an http or https URL. ${hint}`],
    ['ftp://me:hidden@a.b', `target: ftp://…@a.b is not an http or https URL. ${hint}`],
    ['ftp://a.b/c#hidden', `target: ftp://a.b/c?… is not an http or https URL. ${hint}`],
    ['http://me:hidden@example.com', 'target: the URL must not contain a user or a password. Use authorization.'],
    ['http://a.b/?c=d', 'target: http://a.b/?… must not have a query or a fragment.'],
    ['http://a.b/#c', 'target: http://a.b/?… must not have a query or a fragment.'],
  ]
  for (const [url, message] of rejected) t.throws(() => readUrl(url), new UsageError(message))
})
