/** Redaction of secrets in all encodings. */
import { randomBytes } from 'node:crypto'
import t from 'tap'
import { excerpt } from '../../lib/json/json.js'
import { outgoing } from '../../lib/outgoing.js'
import { cutText, Redaction, registerSecret } from '../../lib/redaction/redaction.js'
import fc from '../support/records/properties.js'
import { encodings } from '../support/records/secret-encodings.js'
import { endedWork } from './ended-work.js'

const part = (text: string): string => Buffer.from(text).toString('base64url')
const signature = 'Kx3vS_9dPq-7LwZ0tYbR4mJcN8hGfE2uAoViQs6T1yU'
const claims = '{"sub":"participant_admin","exp":1800000240}'
const token = `${part('{"alg":"HS256","typ":"JWT"}')}.${part(claims)}.${signature}`

const secrets: Readonly<Record<string, string>> = {
  'a signed token': token,
  'a client secret': 'planted-client-secret-5c1f',
  'one with signs of every kind': 'p\u00e4ss "word" / <&?>+=\u20ac \u{1f511} (end)*!~',
  'one that reads like escapes': 'pa%41ss\\u0041wo&amp;rd\\nend%2',
  'one beyond ASCII alone': '\u043f\u0430\u0440\u043e\u043b\u044c\u043a\u043b\u044e\u0447\u044c',
  'a short one': 'hunter2x',
  'a shorter one, which is a word': 'secret',
}

const knowing = (...known: string[]): Redaction => {
  const redaction = new Redaction()
  for (const secret of known) redaction.register(secret, 'it')
  return redaction
}

t.test('a secret is hidden in every encoding', (t) => {
  for (const [kind, secret] of Object.entries(secrets)) {
    for (const [name, encode] of Object.entries(encodings)) {
      const cleaned = knowing(secret).clean(`{"said": "${encode(secret)}", "offset": 7}`)
      // Adjacent text in base64 remains.
      t.match(
        cleaned,
        /^\{"said": "[\w/+=:%]{0,40}\[redacted: it\][\w/+=%:]{0,30}", "offset": 7\}$/,
        `${kind}: ${name}`,
      )
    }
  }
  t.end()
})

const withoutWidth = ['\u200b', '\u00ad', '\u2060', '\ufeff', '\ufe0f', '\u034f', '\u180b', '\u{e0100}']
const lineEnds = ['\n', '\r', '\r\n', '\u0085', '\u2028', '\u2029']

t.test('characters without width and line ends hide no secret', (t) => {
  for (const [kind, secret] of Object.entries(secrets))
    for (const sign of [...withoutWidth, ...lineEnds])
      t.equal(knowing(secret).clean(`say ${[...secret].join(sign)} now`), 'say [redacted: it] now', kind)
  t.end()
})

t.test('public constants, public words and markers stay whole', (t) => {
  const open = { constants: new Set(['Basic YWxpY2U6c2VjcmV0']), words: new Set(['alice']) }
  const redaction = new Redaction([], open)
  redaction.register('secret', 'signing secret')
  redaction.register('alice', 'password')
  for (const text of ['authorization:Basic YWxpY2U6c2VjcmV0', '[redacted: signing secret]', 'alice-12ab34cd::1220ab'])
    t.equal(redaction.clean(text), text)
  t.equal(redaction.clean('secret, Basic YWxpY2U6c2VjcmV0'), '[redacted: signing secret], Basic YWxpY2U6c2VjcmV0')
  // No marker of this program has such a label.
  t.equal(redaction.clean('[redacted: my secret]'), '[redacted: my [redacted: signing secret]]')
  t.end()
})

t.test('the signature of a token is hidden alone, its claims are not', (t) => {
  const [header, claims] = [part('{"alg":"HS256"}'), part('{"sub":"alice","aud":"participant::1220aabb"}')]
  const own = signature.replace('Kx3v', 'Lx4w')
  registerSecret(`${header}.${claims}.${own}`, 'token of alice')
  const redaction = new Redaction()
  for (const [name, encode] of Object.entries(encodings)) {
    const cleaned = redaction.clean(`"${encode(own)}"`)
    t.match(cleaned, /^"[\w/+=:%]{0,40}\[redacted: token of alice\][\w/+=%:]{0,30}"$/, name)
    t.equal(outgoing(`"${encode(own)}"`), cleaned, `${name}: in all that leaves the process`)
  }
  // Participants repeat parties of the claims, so evidence can contain parts of them.
  for (const text of [claims, claims.slice(-24), `${header}.${claims}`]) t.equal(redaction.clean(text), text)
  t.end()
})

t.test('a text is cleaned before it is cut', (t) => {
  const text = `${'x'.repeat(290)} planted-secret-of-the-cut and more ${'y'.repeat(90_000)}`
  registerSecret('planted-secret-of-the-cut', 'it')
  t.equal(cutText(text, 300), `${'x'.repeat(290)} [redacte…`)
  t.equal(excerpt(text, 300), `"${'x'.repeat(290)} [redact…`)
  t.equal(excerpt([{ [text]: 1 }], 310), `[{"${'x'.repeat(290)} [redacted: it] …`)
  t.equal(cutText('short', 5), 'short')
  t.equal(cutText(`planted-secret-of-the-cut!`, 20), '[redacted: it]!')
  const key = randomBytes(2400).toString('base64')
  registerSecret(key, 'key')
  const encoded = Buffer.from(key).toString('hex').replace(/../g, '$&:')
  t.equal(cutText(`at ${encoded} and more`, 300), 'at [redacted: key]: and more', 'a long key in a long encoding')
  t.end()
})

/** The secret can be a part of a word. A process hides the secrets of all its tests, so no text contains one of these. */
const short: [secret: string, text: string, left: string][] = [
  ['admin', 'participant_admin is no admin', 'participant_admin is no [redacted: it]'],
  [
    'secret',
    '"a secret", secrets, no-secret/secret_x \u00e4secret',
    '"a [redacted: it]", secrets, no-[redacted: it]/secret_x \u00e4secret',
  ],
  [
    'secret',
    'x%20secret%20 \\nsecret &quot;secret; sec ret',
    'x%20[redacted: it]%20 \\n[redacted: it] &quot;[redacted: it]; sec ret',
  ],
  ['1000', '{"offset":1000,"other":10001}', '{"offset":[redacted: it],"other":10001}'],
  ['offset', '{"offset":1000}', '{"[redacted: it]":1000}'],
  ['abc', 'abc', 'abc'],
  ['a-b', 'a-b', 'a-b'],
  ['aaaaaaa', 'aaaaaaa! aaaaaaax', '[redacted: it]! aaaaaaax'],
  ['ababab', 'ababab xababab', '[redacted: it] xababab'],
  ['pass word', 'pass word, pass+word, pass  word', '[redacted: it], [redacted: it], pass  word'],
  ['twelve signs', 'twelve sign', 'twelve sign'],
  ['sixteenletters', 'xsixteenletters sixteenletters', 'xsixteenletters [redacted: it]'],
  ['x1x1x1x1', 'x1x1x1x1x1 x1x1x1x1', '[redacted: it] [redacted: it]'],
  ['sixteenletters16', 'xsixteenletters16x', 'x[redacted: it]x'],
]

t.test('a secret that may be a word or a number is hidden as a whole word', (t) => {
  for (const [secret, text, left] of short) t.equal(knowing(secret).clean(text), left, `${secret}: ${text}`)
  t.end()
})

t.test('the replacement contains the label of the secret; an unregistered token has a general label', (t) => {
  const redaction = new Redaction()
  redaction.register(token, 'token of alice')
  redaction.register('first secret of ours', 'the $& secret')
  redaction.register('first secret of ours', 'another name for it')
  t.equal(
    redaction.clean(`Bearer ${token}, first secret of ours, ${token.replace('Kx3v', 'Kx4v')}`),
    'Bearer [redacted: token of alice], [redacted: the __ secret], [redacted: a signed token]',
  )
  t.end()
})

t.test('signed tokens, private keys and configured forms are secrets, whichever party sends them', (t) => {
  const redaction = new Redaction([/customer-\d+/, /x*/g])
  const key = '-----BEGIN EC PRIVATE KEY-----\nMHcCAQEEIA\n-----END EC PRIVATE KEY-----'
  t.equal(
    redaction.clean(`a ${key} b %20${token} c customer-12 d -----BEGIN PRIVATE KEY-----\nMHcC`),
    'a [redacted: a private key] b %20[redacted: a signed token] c [redacted: pattern 1] d [redacted: a private key]',
  )
  t.equal(
    redaction.clean(`${encodeURIComponent(key)} ${token.replaceAll('.', '%2E')}`),
    '[redacted: a private key] [redacted: a signed token]',
  )
  t.equal(redaction.clean(`${key}${key}`), '[redacted: a private key]'.repeat(2), 'adjacent keys')
  const harmless = [
    'eyJ.eyJ.no token -----BEGIN CERTIFICATE-----',
    '----BEGIN PRIVATE KEY-----',
    '-----BEGIN PRIVATE KEYS-----',
    `${part('{"a":1}x')}.${part('[1,2,3,4,5,6]')}.${signature}`,
    `${part('{"alg":1}')}.${part('{"sub":1}')}.${signature.slice(0, 15)}`,
    `${part('{"alg":1}')} ${part('{"sub":1}')}.${signature}`,
  ]
  for (const text of harmless) t.equal(new Redaction().clean(text), text)
  t.equal(redaction.clean(`a.${token}.b`), 'a.[redacted: a signed token].b', 'between other words with dots')
  t.end()
})

t.test('the whole text is hidden if a pattern cannot be searched', (t) => {
  const redaction = new Redaction([/(?:a|b)*c/])
  t.equal(redaction.clean('xaabc'), 'x[redacted: pattern 1]')
  t.equal(redaction.clean('ab'.repeat(6 << 20)), '[redacted: a text that pattern 1 cannot search]')
  const slow = new Redaction([/(x+)+y/])
  t.equal(slow.clean('x'.repeat(60)), '[redacted: a text that pattern 1 cannot search]', 'stopped after a time')
  t.equal(slow.clean('axyb'), 'a[redacted: pattern 1]b')
  t.end()
})

/** Characters outside the secrets, and those of escapes. */
const others = fc.string({ unit: fc.constantFrom(...'xyzXYZ{}":, \\%&;#nrt-+./\u00e9\u{1f600}\ud800'), maxLength: 300 })
const ofSecrets = fc.string({ unit: fc.constantFrom(...'abcdefghABCDEFGH0123456789'), minLength: 4, maxLength: 80 })
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  others,
  fc.array(fc.nat(0xffff)).map((codes) => String.fromCharCode(...codes)),
)

t.test('redaction never throws, and keeps a text without secrets unchanged', (t) => {
  const known = fc.array(anyText, { maxLength: 4 })
  const isText = fc.property(known, anyText, (known, text) => typeof knowing(...known).clean(text) === 'string')
  t.doesNotThrow(() => fc.assert(isText, { numRuns: 200 }))
  const isKept = fc.property(fc.array(ofSecrets), others, (known, text) => knowing(...known).clean(text) === text)
  t.doesNotThrow(() => fc.assert(isKept, { numRuns: 200 }))
  t.end()
})

/** Escapes can nest in any order. */
const escapes = [
  ...['JSON', 'JSON escapes', 'in a URL', 'in a URL, every byte', 'in a form', 'decimal entities', 'entities by name'],
] as const
const inside = [
  ...[
    'unchanged',
    'hex',
    'base64',
    'base64url',
    'base64 behind one byte',
    'base64 behind two bytes',
    'base64 in lines',
  ],
  'JSON escapes here and there',
]
const encoded = (secret: string, names: readonly string[]): string =>
  names.reduce((text, name) => encodings[name]?.(text) ?? text, secret)

t.test('a secret is hidden at every position and in all nested encodings', (t) => {
  const isHidden = (secret: string, names: readonly string[], before: string, after: string): boolean => {
    const said = encoded(secret, names)
    const cleaned = knowing(secret).clean(`${before} ${said} ${after}`)
    return cleaned.includes('[redacted: it]') && !cleaned.includes(said)
  }
  const long = ofSecrets.filter((text) => text.length >= 16)
  const layers = fc.array(fc.constantFrom(...escapes), { maxLength: 3 })
  const first = fc.constantFrom(...inside)
  const anywhere = fc.property(long, first, layers, others, others, (secret, innermost, around, before, after) =>
    isHidden(secret, [innermost, ...around], before, after),
  )
  t.doesNotThrow(() => fc.assert(anywhere, { numRuns: 300 }))
  const odd = fc
    .tuple(fc.string({ unit: 'binary', maxLength: 20 }), long, fc.string({ unit: 'binary', maxLength: 20 }))
    .map((parts) => parts.join(''))
  const ofAnySigns = fc.property(odd, first, (secret, name) => isHidden(secret, [name], '', ''))
  t.doesNotThrow(() => fc.assert(ofAnySigns, { numRuns: 100 }))
  t.end()
})

t.test('short and long secrets are hidden beside each other', (t) => {
  const betweenSecrets = fc.string({ unit: fc.constantFrom(...'xyz ,:"'), maxLength: 40 })
  const several = fc.array(fc.tuple(ofSecrets, betweenSecrets), { minLength: 1, maxLength: 5 })
  const areHidden = fc.property(several, (pairs) => {
    const redaction = knowing(...pairs.map(([secret]) => secret))
    const textWith = (write: (secret: string) => string): string =>
      pairs.map(([secret, between]) => `${between} ${write(secret)}`).join(' ')
    return redaction.clean(textWith((secret) => secret)) === textWith(() => '[redacted: it]')
  })
  t.doesNotThrow(() => fc.assert(areHidden, { numRuns: 150 }))
  t.end()
})

/** Pieces of slow texts. */
const pieces = [
  ...['\\', '%25', '=', 'A', '.', '/', '%2f', ':', '\n', '\r\n', '\\r\\n', '\\u005c', '\\\\\\\\u0041', '&amp;', '&#'],
  ...[
    'eyJ',
    '.eyJaaaaaaaaaaa',
    'eyJhbGciOiJI.',
    '-----BEGIN PRIVATE KEY-----',
    '7',
    'planted-client-secret-5c1f',
    '\u001b',
  ],
]

t.test('the time of redaction grows linearly with repeated characters', async (t) => {
  const redaction = knowing(
    'planted-client-secret-5c1f',
    `${'7'.repeat(500)}x${'7'.repeat(500)}`,
    '/////////=',
    'short',
  )
  for (const piece of pieces) {
    const text = piece.repeat(300_000 / piece.length)
    t.doesNotThrow(() => endedWork(() => redaction.clean(text)), JSON.stringify(piece))
  }
})
