/** `npm run bench:redaction`: measures the redaction of 8 MiB for the most expensive kinds of text. */
import { randomBytes } from 'node:crypto'
import { outgoing } from '../../dist/lib/outgoing.js'
import { registerSecret } from '../../dist/lib/redaction/redaction.js'

const mebibyte = 1024 * 1024
const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')
const tokens = Array.from({ length: 300 }, (_, number) =>
  [
    part({ alg: 'HS256' }),
    part({ sub: `user-${number % 20}`, exp: 1_800_000_000 + number }),
    part(randomBytes(32).toString('hex')),
  ].join('.'),
)
for (const secret of ['planted-client-secret-5c1f', `${'7'.repeat(500)}x${'7'.repeat(500)}`, ...tokens])
  registerSecret(secret, 'secret')

const pieces = {
  'plain answers': '{"updateId":"1220abcd","offset":17,"party":"alice::1220"},',
  'token headers': 'eyJ',
  'tokens without a signature': '.eyJaaaaaaaaaaa',
  'unlimited header': 'a',
  'complete tokens': `${tokens[0]} `,
  secrets: 'planted-client-secret-5c1f ',
  'almost secrets': '7',
  'first lines of keys': '-----BEGIN PRIVATE KEY-----',
  'broken keys': '-----BEGIN PRIVATE KEY-----!',
  backslashes: '\\',
  'escaped letters': '\\u0041',
  'nested escapes': '\\\\\\\\u0041',
  'percent signs': '%',
  'percent-encoded letters': '%41',
  'encoded percent signs': '%25',
  entities: '&amp;',
  'entity prefixes': '&#',
  'unterminated entities': '&#x4',
  'line breaks': '\n',
  'escaped line breaks': '\\r\\n',
  base64: randomBytes(3000).toString('base64'),
}
for (const [label, piece] of Object.entries(pieces)) {
  const text = piece.repeat(Math.ceil((8 * mebibyte) / piece.length))
  const begin = performance.now()
  outgoing(text)
  console.log(`${label.padEnd(27)} ${String(Math.round(performance.now() - begin)).padStart(5)} ms for 8 MiB`)
}
