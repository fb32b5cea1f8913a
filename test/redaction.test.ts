import t from 'tap'
import { Redaction } from '../interface/redaction.js'
import fc from './properties.js'
import { encodings, halves } from './secret-encodings.js'

const part = (text: string): string => Buffer.from(text).toString('base64url')
const signature = 'Kx3vS_9dPq-7LwZ0tYbR4mJcN8hGfE2uAoViQs6T1yU'
const claims = '{"sub":"participant_admin","exp":1800000240}'
const token = `${part('{"alg":"HS256","typ":"JWT"}')}.${part(claims)}.${signature}`

const secrets: Readonly<Record<string, string>> = {
  'a signed token': token,
  'a client secret': 'planted-client-secret-5c1f',
  'one with signs of every kind': 'p\u00e4ss "word" / <&?>+=\u20ac \u{1f511} end',
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
      // What base64 makes of the text beside a secret stays, and signs at its ends that count for nothing.
      t.match(
        cleaned,
        /^\{"said": "[\w/+=:%]{0,40}\[redacted: it\][\w/+=%:]{0,30}", "offset": 7\}$/,
        `${kind}: ${name}`,
      )
    }
  }
  t.end()
})

t.test('half of a secret is hidden as well, and any sixteen signs in a row', (t) => {
  for (const kind of ['a signed token', 'a client secret', 'one with signs of every kind']) {
    const secret = secrets[kind] ?? ''
    for (const [name, take] of Object.entries(halves)) {
      const cleaned = knowing(secret).clean(`told "${take(secret)}" it`)
      t.match(cleaned, /^told "[^"\w]*\[redacted: it\]\w?[^"\w]*" it$/, `${kind}: ${name}`)
    }
  }
  const redaction = knowing(token)
  t.equal(redaction.clean(`x${signature}x`), 'x[redacted: it]x', 'the signature alone')
  for (const from of [0, 1, 20, 70, token.length - 16]) {
    t.equal(redaction.clean(`<${token.slice(from, from + 16)}>`), '<[redacted: it]>', `from ${from}`)
    t.not(
      redaction.clean(`<${token.slice(from, from + 15)}>`).indexOf(token.slice(from, from + 15)),
      -1,
      `15 from ${from}`,
    )
  }
  t.end()
})

/** What is left of a text by a redaction that knows one secret, which may be a word of it. */
const short: [secret: string, text: string, left: string][] = [
  ['admin', 'participant_admin is no admin', 'participant_admin is no [redacted: it]'],
  [
    'secret',
    '"a secret", secrets, a-secret/secret_x \u00e4secret',
    '"a [redacted: it]", secrets, a-[redacted: it]/secret_x \u00e4secret',
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
  ['twelve signs', 'twelve sign', '[redacted: it]'],
  ['fifteen letters', 'xfifteen letters', 'xfifteen letters'],
  ['sixteenletters16', 'xsixteenletters16x', 'x[redacted: it]x'],
]

t.test('of a secret that is cut off, in whatever it is encoded, less than its first sixteen signs is left', (t) => {
  // Of letters and digits alone: signs that do not count would not be counted here either.
  const key = signature.replaceAll(/\W|_/g, '')
  const redaction = knowing(key)
  for (const [name, encode] of Object.entries(encodings)) {
    const text = encode(key)
    const sixteen = encode(key.slice(0, 16)).length
    const lengths = Array.from({ length: text.length }, (_, cut) => {
      const cleaned = redaction.clean(`<${text.slice(0, cut)}…`)
      return cleaned.replaceAll('[redacted: it]', '').length - '<…'.length
    })
    t.ok(Math.max(...lengths) < sixteen, `${name}: at most ${Math.max(...lengths)} of ${sixteen}`)
  }
  t.end()
})

t.test('a short secret is hidden where it stands by itself', (t) => {
  for (const [secret, text, left] of short) t.equal(knowing(secret).clean(text), left, `${secret}: ${text}`)
  t.end()
})

t.test('what stood there is told, and what is known of it counts more than that it is a token', (t) => {
  const redaction = new Redaction()
  redaction.register(token, 'token of alice')
  redaction.register('first secret of ours', 'the $& secret')
  redaction.register('first secret of ours', 'another name for it')
  t.equal(
    redaction.clean(`Bearer ${token}, first secret of ours, ${token.replace('Kx3v', 'Kx4v')}`),
    'Bearer [redacted: token of alice], [redacted: the $& secret], [redacted: a signed token][redacted: token of alice]',
  )
  t.end()
})

t.test('signed tokens, private keys and configured forms are known as secrets, whoever sends them', (t) => {
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
  t.equal(redaction.clean(`${key}${key}`), '[redacted: a private key]', 'one behind the other')
  const harmless = [
    'eyJ.eyJ.no token -----BEGIN CERTIFICATE-----',
    '----BEGIN PRIVATE KEY-----',
    '-----BEGIN PRIVATE KEYS-----',
    `${part('{"a":1}x')}.${part('[1,2,3,4,5,6]')}.${signature}`,
    `${part('{"alg":1}')}.${part('{"sub":1}')}.${signature.slice(0, 15)}`,
    `${part('{"alg":1}')} ${part('{"sub":1}')}.${signature}`,
  ]
  for (const text of harmless) t.equal(new Redaction().clean(text), text)
  t.equal(redaction.clean(`a.${token}.b`), 'a.[redacted: a signed token].b', 'among other words with dots')
  t.end()
})

t.test('where a pattern cannot be looked for, nothing of the text is told', (t) => {
  const redaction = new Redaction([/(?:a|b)*c/])
  t.equal(redaction.clean('xaabc'), 'x[redacted: pattern 1]')
  t.equal(redaction.clean('ab'.repeat(8 << 20)), '[redacted: a text in which pattern 1 could not be looked for]')
  t.end()
})

/** Letters that no secret of the properties below is made of, and everything that escapes are made of. */
const others = fc.string({ unit: fc.constantFrom(...'xyzXYZ{}":, \\%&;#nrt-+./\u00e9\u{1f600}\ud800'), maxLength: 300 })
const ofSecrets = fc.string({ unit: fc.constantFrom(...'abcdefghABCDEFGH0123456789'), minLength: 4, maxLength: 80 })
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  others,
  fc.array(fc.nat(0xffff)).map((codes) => String.fromCharCode(...codes)),
)

t.test('nothing that is registered or cleaned makes it throw, and a text without secrets is kept as it is', (t) => {
  const known = fc.array(anyText, { maxLength: 4 })
  const isText = fc.property(known, anyText, (known, text) => typeof knowing(...known).clean(text) === 'string')
  t.doesNotThrow(() => fc.assert(isText, { numRuns: 500 }))
  const isKept = fc.property(fc.array(ofSecrets), others, (known, text) => knowing(...known).clean(text) === text)
  t.doesNotThrow(() => fc.assert(isKept, { numRuns: 500 }))
  t.end()
})

/** Escapes may be put around each other in any order, and these inside of them. */
const escapes = [
  ...['JSON', 'JSON escapes', 'in a URL', 'in a URL, every byte', 'in a form', 'decimal entities', 'entities by name'],
] as const
const inside = [
  ...['as it is', 'hex', 'base64', 'base64url', 'base64 behind one byte', 'base64 behind two bytes', 'base64 in lines'],
  'JSON escapes here and there',
]
const encoded = (secret: string, names: readonly string[]): string =>
  names.reduce((text, name) => encodings[name]?.(text) ?? text, secret)

t.test('wherever a secret stands, and in whatever it is wrapped, it is hidden', (t) => {
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
  t.doesNotThrow(() => fc.assert(anywhere, { numRuns: 1000 }))
  const odd = fc
    .tuple(fc.string({ unit: 'binary', maxLength: 20 }), long, fc.string({ unit: 'binary', maxLength: 20 }))
    .map((parts) => parts.join(''))
  const ofAnySigns = fc.property(odd, first, (secret, name) => isHidden(secret, [name], '', ''))
  t.doesNotThrow(() => fc.assert(ofAnySigns, { numRuns: 300 }))
  t.end()
})
