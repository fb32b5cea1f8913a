/** Text that leaves the process contains no secrets and no control characters. */
import t from 'tap'
import { createColors } from '../../lib/colors.js'
import { outgoing, outgoingJson } from '../../lib/outgoing.js'
import { print, printMistake } from '../../lib/print.js'
import { Redaction, registerSecret, registerUrl, suspectSecret } from '../../lib/redaction/redaction.js'
import { encodings } from '../support/records/secret-encodings.js'

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const signature = 'c2lnbmF0dXJlIG9mIGEgdG9rZW4tbm9ib2R5LXNpZ25lZA'
const token = [part({ alg: 'HS256' }), part({ sub: 'planted' }), signature].join('.')
const secrets = { 'a key': 'planted-api-key-77', 'an odd password': 'p"\u00e4\\ +/=&?x<b>', token }
for (const [label, secret] of Object.entries(secrets)) registerSecret(secret, label)

t.test('a known secret is hidden in its usual encodings', async (t) => {
  for (const [label, secret] of Object.entries(secrets))
    for (const [name, encode] of Object.entries(encodings)) {
      const clean = outgoing(`before| ${encode(secret)} |after`)
      t.match(clean, `[redacted: ${label}]`, `${label}: ${name}`)
      t.match(clean, /^before\|.*\|after$/s)
      // Adjacent text in base64 is not secret.
      t.ok(clean.length < 100, clean)
    }
})

t.test('tokens and private keys are recognized by their form, and signatures alone are hidden', async (t) => {
  const unknown = [part({ alg: 'ES256' }), part({ sub: 'of another process' }), 'x'.repeat(86)].join('.')
  t.equal(outgoing(`"${unknown}"`), '"[redacted: a signed token]"')
  t.equal(outgoing(`token%3D${unknown.replaceAll('.', '%2E')}&`), 'token%3D[redacted: a signed token]&')
  t.equal(outgoing(`signed ${signature}.`), 'signed [redacted: token].')
  const key = '-----BEGIN EC PRIVATE KEY-----\nMHcCAQEEIB\n+/aa==\n-----END EC PRIVATE KEY-----'
  t.equal(outgoing(`${key}\n`), '[redacted: a private key]\n')
  t.equal(outgoing(JSON.stringify({ key })), '{"key":"[redacted: a private key]"}')
  t.equal(outgoing('www.eyJ.eyJ.x a.b.c'), 'www.eyJ.eyJ.x a.b.c')
})

t.test('a secret that becomes known is hidden in a text that was printed before', async (t) => {
  const text = `an answer of a usual length, which names later-planted-key-5 ${'and more '.repeat(20)}`
  t.equal(outgoing(text), text)
  t.equal(new Redaction().clean(text), text)
  registerSecret('later-planted-key-5', 'a late key')
  t.match(outgoing(text), '[redacted: a late key]')
  t.match(outgoingJson({ text }), '[redacted: a late key]')
})

t.test('a line of JSON remains valid JSON after the redaction of any secret', async (t) => {
  registerSecret('nplanted-9\\', 'odd')
  for (const value of ['\nplanted-9\\', 'nplanted-9\\"', '\u0000nplanted-9\\\\', '\\nplanted-9\\n']) {
    const line = outgoing(JSON.stringify({ value }))
    t.match(JSON.parse(line), { value: String })
  }
})

t.test('a line of JSON has no secret in its texts and names', async (t) => {
  const hidden = '[redacted: a key]'
  for (const value of [
    'planted-api-key-77',
    { 'planted-api-key-77': 1 },
    ['"', { a: 'x\nplanted\\u002dapi-key-77' }],
  ]) {
    t.match(outgoingJson({ value }), hidden)
    t.equal(outgoingJson({ value }), outgoing(JSON.stringify({ value })))
  }
  const open = { n: 7, none: null, absent: undefined, text: 'a "b" \u009b\n', list: [true, {}] }
  t.equal(outgoingJson(open), outgoing(JSON.stringify(open)))
})

t.test('control characters are escaped, and only text of the program is coloured', async (t) => {
  t.equal(outgoing('a\u001b[2J\u009b\u202ex\r\nb\tc\rd'), 'a\\u001b[2J\\u009b\\u202ex\r\nb\tc\\u000dd')
  t.same(JSON.parse(outgoing(JSON.stringify(['\u009b\u2028']))), ['\u009b\u2028'])
  const out = t.capture(console, 'log', () => undefined)
  print(createColors(true).red('failed: \u001b[32mpass'))
  print(createColors(false).red('failed'))
  t.strictSame(
    out().map(({ args }) => args),
    [['\u001b[31mfailed: \\u001b[32mpass\u001b[39m'], ['failed']],
  )
})

t.test('error messages hide values that can be secrets', async (t) => {
  suspectSecret('hunter2-super-value', 'environment variable PROFILE')
  suspectSecret('http://127.0.0.1:1234/a', 'environment variable URL')
  registerUrl('https://someone:p%40ss-word-1@h/?key=query-value-9', 'the URL')
  const err = t.capture(console, 'error', () => undefined)
  printMistake('there is no hunter2-super-value at http://127.0.0.1:1234/a; p@ss-word-1 query-value-9')
  const [{ args: [text] = [] } = {}] = err()
  const hidden = 'there is no [redacted: environment variable PROFILE] at http://127.0.0.1:1234/a'
  t.equal(text, `${hidden}; [redacted: password of the URL] [redacted: a part of the URL]`)
})

t.test('secrets that are ordinary words or numbers remain in text of the program', async (t) => {
  for (const secret of ['participant', '12345678', 'Password', 'short-1']) registerSecret(secret, 'a word')
  const line = '{"participant":12345678,"Password":"short-1"}'
  t.equal(outgoing(line), line)
})
