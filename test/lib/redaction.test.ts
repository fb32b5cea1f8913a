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

const words = 'open sesame/77+e'
const quotes = 'pa"ss\\word-77'
const signs = '{k_1}[v`2]|x*77'
const plain = 'abcd/efgh+ijkl-mnop'
const umlauts = 'p\u00e4ssw\u00f6rd-\u20ac-77'
const asBytes = (text: string): string => Buffer.from(text).toString('latin1')
const between = (sign: string): string => [...plain].join(sign)

/** What other programs than this one write, and mixtures of it. */
const writings: [secret: string, text: string][] = [
  // Forms: escapes in small letters, only of some signs, of PHP and Python, in JSON, in a form.
  [words, 'open+sesame%2f77%2be'],
  [words, 'open+sesame/77%2Be'],
  [words, '%6F%70%65%6E+%73%65%73%61%6D%65%2F%37%37%2B%65'],
  [words, 'open+sesame%5C%2F77%2Be'],
  [words, 'open\\u002bsesame%2F77%2Be'],
  [words, 'open%2Bsesame%252f77%252be'],
  ['wave ~ (77)', 'wave+%7E+%2877%29'],
  ['wave ~ (77)', 'wave+~+%2877%29'],
  ['pa"ss of \\ 77', 'pa%5Cu0022ss+of+%5C%5C+77'],
  ['pa%41ss \\\\ word', 'pa%2541ss+%5C%5C%5C%5C+word'],
  // JSON of .NET and of JavaScript; HTML between two layers of JSON.
  [quotes, 'pa\\u0022ss\\\\word-77'],
  [quotes, 'pa\\x22ss\\\\word-77'],
  [quotes, 'pa\\"ss\\u005cword-77'],
  [quotes, 'pa\\\\&quot;ss\\\\\\\\word-77'],
  ['tab\tin-77"', 'tab\\\\tin-77\\u0022'],
  // HTML.
  [signs, '&lbrace;k&UnderBar;1&rbrace;&lbrack;v&DiacriticalGrave;2&rbrack;&VerticalLine;x&midast;77'],
  ['a&b<c>d"e-77', 'a&ampb&ltc&gtd&quote-77'],
  ['tab\tin-77', 'tab&Tab;in-77'],
  [umlauts, 'p\u00e4ssw\u00f6rd-&euro;-77'],
  ...['shy', 'zwnj', 'zwj', 'lrm', 'rlm', 'NoBreak', 'ZeroWidthSpace', 'NewLine'].map((name): [string, string] => [
    plain,
    between(`&${name};`),
  ]),
  // UTF-8.
  ...[
    '%E2%80%8B',
    '\\xE2\\x80\\x8B',
    '\\342\\200\\213',
    '%C2%AD',
    '%EF%BB%BF',
    '%E2%80%A8',
    '%C2%85',
    '%F3%A0%81%81',
  ].map((sign): [string, string] => [plain, between(sign)]),
  ...[...withoutWidth, ...lineEnds].map((sign): [string, string] => [plain, asBytes(between(sign))]),
  [umlauts, 'p%C3%A4ssw\u00f6rd-\u20ac-77'],
  [umlauts, 'p\\xC3\\xA4ssw\u00f6rd-%E2%82%AC-77'],
  [umlauts, asBytes(umlauts).replace('\u00c3', '\\u00c3')],
]

t.test('mixed and partial escapes hide no secret', (t) => {
  for (const [secret, text] of writings)
    t.equal(knowing(secret).clean(`say ${text} now`), 'say [redacted: it] now', `${secret}: ${encodeURI(text)}`)
  // The backslash at the end is part of the escape of the quotation mark behind it.
  t.equal(knowing('end-of-77\\').clean('{"a":"end\\u002dof-77\\\\"}'), '{"a":"[redacted: it]\\\\"}')
  t.end()
})

t.test('escapes and bytes without a secret stay', (t) => {
  const redaction = knowing(words, quotes, signs, plain, umlauts, 'geheimnis')
  for (const text of [
    '&amp;%41\\u0041\\n\u200b&lbrace;&lt=2&gt',
    asBytes('\u00e4\u20ac\u{1f511}'),
    'ungeheimnisvoll Geheimnis \u00e4geheimnis geheimnis\u00df \u5bc6geheimnis geheimnis_1 \\u00e4geheimnis',
    `geheimnisse-1234abcd::1220${'ab'.repeat(32)}`,
    'open sesame, pass\\word-77',
  ])
    t.equal(redaction.clean(text), text)
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

t.test('a known secret within a public constant is hidden where nothing is public', (t) => {
  const secret = 'within-a-constant-77'
  const constant = `${'public '.repeat(20)}${secret}`
  registerSecret(secret, 'token of alice')
  t.equal(new Redaction([], { constants: new Set([constant]), words: new Set() }).clean(constant), constant)
  t.notMatch(outgoing(constant), secret)
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
  const standard = Buffer.from(own, 'base64url').toString('base64')
  t.equal(redaction.clean(standard), '[redacted: token of alice]=', 'in standard base64')
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
  ...[
    '\\n',
    '\\t',
    '\\r\\n',
    '\\f',
    '\\b',
    '\\\\n',
    '\u2028',
    '\u00a0',
    '\u2014',
    '\u2026',
    '\u3001',
    '\u{1f511}',
    '&#160;',
    '\u200b',
  ].map((sign): [string, string, string] => [
    'geheimnis',
    `a${sign}geheimnis${sign}b`,
    `a${sign}[redacted: it]${sign}b`,
  ]),
  ['geheimnis', 'x\\n\\u0067eheimnis\\ny', 'x\\n[redacted: it]\\ny'],
  ['geheimnis', 'x\n\\u0067eheimnis\ny', 'x\n[redacted: it]\ny'],
  [
    'geheimnis',
    '\u201cgeheimnis\u201d, \u00abgeheimnis\u00bb',
    '\u201c[redacted: it]\u201d, \u00ab[redacted: it]\u00bb',
  ],
  ['Abc1-x7', '\u201cAbc1-x7\u201d, xAbc1-x7', '\u201c[redacted: it]\u201d, xAbc1-x7'],
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
  for (const [secret, text, left] of short) t.equal(knowing(secret).clean(text), left, `${secret}: ${encodeURI(text)}`)
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
  t.equal(
    redaction.clean(new URLSearchParams({ a: `${key}.`, b: token }).toString()),
    'a=[redacted: a private key].&b=[redacted: a signed token]',
    'in a form',
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
    '\u00e2',
    '\u00e2\u0080\u008b',
    '\u200b',
    '\\n\\\\"',
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
