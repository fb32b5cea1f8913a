import { percentEncoded } from '../../../lib/redaction/percent-encoded.js'

const units = (text: string): number[] => Array.from({ length: text.length }, (_, index) => text.charCodeAt(index))
const each = (text: string, write: (unit: number) => string): string => units(text).map(write).join('')
const bytes = (text: string, write: (byte: number) => string): string => [...Buffer.from(text)].map(write).join('')
const hexOf = (number: number, digits: number): string => number.toString(16).padStart(digits, '0')
const base64 = (text: string): string => Buffer.from(text).toString('base64')
const wrapped = (text: string, width: number, end: string): string =>
  text.replace(new RegExp(`.{${width}}(?=.)`, 'g'), `$&${end}`)
const quoted = (text: string): string => JSON.stringify(text).slice(1, -1)

/** Of `json_encode`. */
const inPhp = (text: string): string => quoted(text).replaceAll('/', '\\/')

const names: Readonly<Record<string, string>> = {
  '.': '&period;',
  '-': '-',
  _: '&lowbar;',
  ' ': '&nbsp;',
  '"': '&quot;',
  '<': '&lt;',
  '>': '&gt;',
  '&': '&amp;',
  '/': '&sol;',
  '+': '&plus;',
  '=': '&equals;',
  '?': '&quest;',
  "'": '&apos;',
}
const entities = (text: string): string => text.replace(/[^\w]|_/g, (sign) => names[sign] ?? sign)
const decimalEntities = (text: string): string => [...text].map((sign) => `&#${sign.codePointAt(0)};`).join('')
const everyThird = (text: string, write: (unit: number) => string): string =>
  units(text)
    .map((unit, index) => (index % 3 === 0 ? write(unit) : String.fromCharCode(unit)))
    .join('')
const upperEscape = (unit: number): string => `\\u${hexOf(unit, 4).toUpperCase()}`

/** For secrets of eight characters or more. */
export const encodings: Readonly<Record<string, (secret: string) => string>> = {
  unchanged: (secret) => secret,
  hex: (secret) => Buffer.from(secret).toString('hex'),
  'hex in capitals': (secret) => Buffer.from(secret).toString('hex').toUpperCase(),
  'hex with colons': (secret) => wrapped(Buffer.from(secret).toString('hex'), 2, ':'),
  'hex in lines': (secret) => wrapped(Buffer.from(secret).toString('hex'), 10, '\n'),
  base64,
  'base64 without padding': (secret) => base64(secret).replace(/=+$/, ''),
  base64url: (secret) => Buffer.from(secret).toString('base64url'),
  'base64 behind one byte': (secret) => base64(`:${secret}`),
  'base64 behind two bytes': (secret) => base64(`::${secret}`),
  'base64 before other text': (secret) => base64(`${secret} is what you sent`),
  'base64 of the header': (secret) => base64(`Bearer ${secret}`),
  'base64url of the header': (secret) => Buffer.from(`Authorization: Bearer ${secret}\r\n`).toString('base64url'),
  'base64 of JSON': (secret) => base64(JSON.stringify({ token: secret })),
  'base64 of a form': (secret) => base64(new URLSearchParams({ who: 'me', it: secret }).toString()),
  'base64 of Basic credentials': (secret) => base64(`me:${percentEncoded(secret)}`),
  'base64 in lines': (secret) => wrapped(base64(secret), 20, '\r\n'),
  'base64 in lines, in JSON': (secret) => quoted(wrapped(base64(secret), 16, '\n')),
  'base64 in a URL': (secret) => encodeURIComponent(base64(secret)),
  'base64 in a form': (secret) => base64(secret).replaceAll('+', ' '),
  JSON: quoted,
  'JSON in JSON': (secret) => quoted(quoted(secret)),
  'JSON in five layers': (secret) => quoted(quoted(quoted(quoted(quoted(secret))))),
  'JSON of PHP': inPhp,
  'JSON of PHP in JSON': (secret) => quoted(inPhp(secret)),
  'JSON of PHP in a URL': (secret) => encodeURIComponent(inPhp(secret)),
  'JSON escapes': (secret) => each(secret, (unit) => `\\u${hexOf(unit, 4)}`),
  'JSON escapes in capitals': (secret) => each(secret, upperEscape),
  'JSON escapes here and there': (secret) => everyThird(secret, upperEscape),
  'JSON escapes in JSON': (secret) => quoted(each(secret, upperEscape)),
  'escaped bytes': (secret) => bytes(secret, (byte) => `\\x${hexOf(byte, 2)}`),
  'octal bytes': (secret) => bytes(secret, (byte) => `\\${byte.toString(8).padStart(3, '0')}`),
  'in a URL': encodeURIComponent,
  'in a URL, twice': (secret) => encodeURIComponent(encodeURIComponent(secret)),
  'in a URL, every byte': (secret) => bytes(secret, (byte) => `%${hexOf(byte, 2)}`),
  'in a URL, every byte, in capitals': (secret) => bytes(secret, (byte) => `%${hexOf(byte, 2).toUpperCase()}`),
  'in a URL, every byte, three times': (secret) => bytes(secret, (byte) => `%2525${hexOf(byte, 2)}`),
  'in a form': (secret) => new URLSearchParams({ a: secret }).toString().slice(2),
  'in a form, in a URL': (secret) => encodeURIComponent(new URLSearchParams({ a: secret }).toString().slice(2)),
  'entities by name': entities,
  'decimal entities': decimalEntities,
  'hexadecimal entities': (secret) => [...secret].map((sign) => `&#x${sign.codePointAt(0)?.toString(16)};`).join(''),
  'decimal entities with zeros': (secret) => decimalEntities(secret).replaceAll('#', '#0000'),
  'decimal entities without an end': (secret) => decimalEntities(secret).replaceAll(';', ''),
  'entities in entities': (secret) => decimalEntities(secret).replaceAll('&', '&amp;'),
  'bytes taken for characters': (secret) => Buffer.from(secret).toString('latin1'),
}

/** UTF-8 bytes without line breaks, as the text of a header. */
export const inHeader = (text: string): string => Buffer.from(text.replace(/[\r\n]/g, '')).toString('latin1')
