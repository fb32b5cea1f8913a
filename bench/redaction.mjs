/** How long the redaction takes for 16 MiB of what is hard to look through. `npm run bench:redaction`. */
import { randomBytes } from 'node:crypto'
import { Redaction } from '../dist/interface/redaction.js'

const mebibyte = 1024 * 1024
const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')
const tokens = Array.from({ length: 300 }, (_, number) =>
  [
    part({ alg: 'HS256' }),
    part({ sub: `user-${number % 20}`, exp: 1_800_000_000 + number }),
    part(randomBytes(32).toString('hex')),
  ].join('.'),
)
const redaction = new Redaction()
for (const secret of ['secret', 'planted-client-secret-5c1f', ...tokens]) redaction.register(secret, 'it')

const pieces = {
  'an ordinary answer': '{"updateId":"1220abcd","offset":17,"party":"alice::1220"},',
  'headers of tokens': 'eyJ',
  'an endless header': 'a',
  'whole tokens': `${tokens[0]} `,
  'a short secret': 'secret ',
  'escaped letters': '\\u0041',
  'letters as bytes': '%41',
  entities: '&amp;',
}
for (const [what, piece] of Object.entries(pieces)) {
  const text = piece.repeat(Math.ceil((16 * mebibyte) / piece.length))
  const begin = performance.now()
  redaction.clean(text)
  console.log(`${what.padEnd(20)} ${Math.round(performance.now() - begin)} ms for 16 MiB`)
}
