/** Times the redaction of 8 MiB of each text that takes most work. `npm run bench:redaction`. */
import { randomBytes } from 'node:crypto'
import { outgoing } from '../dist/lib/outgoing.js'
import { registerSecret } from '../dist/lib/redaction/secrets.js'

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
  registerSecret(secret, 'it')

const pieces = {
  'an ordinary answer': '{"updateId":"1220abcd","offset":17,"party":"alice::1220"},',
  'headers of tokens': 'eyJ',
  'tokens without a signature': '.eyJaaaaaaaaaaa',
  'an endless header': 'a',
  'whole tokens': `${tokens[0]} `,
  'a secret': 'planted-client-secret-5c1f ',
  'almost a secret': '7',
  'first lines of keys': '-----BEGIN PRIVATE KEY-----',
  'broken keys': '-----BEGIN PRIVATE KEY-----!',
  backslashes: '\\',
  'escaped letters': '\\u0041',
  'escapes in escapes': '\\\\\\\\u0041',
  'percent signs': '%',
  'letters as bytes': '%41',
  'percent signs, escaped': '%25',
  entities: '&amp;',
  'entities that begin': '&#',
  'entities without end': '&#x4',
  'line breaks': '\n',
  'line breaks, escaped': '\\r\\n',
  base64: randomBytes(3000).toString('base64'),
}
for (const [label, piece] of Object.entries(pieces)) {
  const text = piece.repeat(Math.ceil((8 * mebibyte) / piece.length))
  const begin = performance.now()
  outgoing(text)
  console.log(`${label.padEnd(27)} ${String(Math.round(performance.now() - begin)).padStart(5)} ms for 8 MiB`)
}
