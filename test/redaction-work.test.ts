/** Redaction costs as much as a text is long, whatever a target sends. Work is counted here; how long it takes is measured in bench/. */
import t from 'tap'
import { longestPiece, type Reader } from '../interface/redaction/piece.js'
import { readAsItStands, readEscaped } from '../interface/redaction/reading.js'
import { SecretScanner } from '../interface/redaction/secret-scanner.js'
import { SecretSet } from '../interface/redaction/secret-set.js'
import { Redaction } from '../interface/redaction.js'

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const signature = (number: number): string => Buffer.from(`${number}`.padStart(32, 'signature ')).toString('base64url')
const tokens = Array.from({ length: 100 }, (_, number) =>
  [part({ alg: 'HS256' }), part({ sub: `user-${number % 7}`, exp: 1_800_000_000 + number }), signature(number)].join(
    '.',
  ),
)
const token = tokens[0] ?? ''
const secrets = ['secret', 'aaaaaaaaaaaaaaaa', 'planted-client-secret-5c1f', ...tokens]

/** Texts that are made of one piece each, over and over: what made patterns go back, and what this redaction looks at more closely. */
const pieces: Readonly<Record<string, string>> = {
  'headers of tokens': 'eyJ',
  'headers and dots': 'eyJaaaaaaaa.',
  'one endless header': 'a',
  'keys that begin': '-----BEGIN PRIVATE KEY',
  dashes: '-',
  'a secret': 'secret ',
  'what begins like a secret': 'secre',
  'whole tokens': `${token} `,
  'what all tokens begin with': token.slice(0, 24),
  'sixteen signs of a token': `${token.slice(30, 46)}|`,
  'percent signs': '%25',
  'letters as bytes': '%41',
  backslashes: '\\\\',
  'escaped letters': '\\\\u0041',
  ampersands: '&',
  'entities that are none': '&aaaaaaaaaaa;',
  'entities of entities': '&amp;',
  'bytes of UTF-8': '\u00c3\u00a9',
  'first bytes of UTF-8': '\u00e2',
  ordinary: '{"updateId":"1220abcd","offset":17,"party":"alice::1220"},',
}
const textOf = (piece: string, length: number): string =>
  piece.repeat(Math.ceil(length / piece.length)).slice(0, length)

/** Units that were handed on, and slots and units that were looked at for it. */
function workFor(text: string, read: (text: string, reader: Reader) => void): { units: number; steps: number } {
  const set = new SecretSet()
  for (const secret of secrets) set.add(secret, 'it')
  const before = stepsOf(set)
  const scanner = new SecretScanner(set.indexes, () => undefined, longestPiece)
  let units = 0
  read(text, {
    take: (piece) => {
      units += piece.length
      scanner.take(piece)
    },
    end: () => scanner.end(),
  })
  return { units, steps: stepsOf(set) - before }
}

const stepsOf = (set: SecretSet): number => set.indexes.reduce((sum, { steps }) => sum + steps, 0)

t.test('each unit is handed on once, and costs a few steps', (t) => {
  for (const [what, piece] of Object.entries(pieces)) {
    for (const read of [readAsItStands, readEscaped]) {
      const [short, long] = [20_000, 200_000].map((length) => workFor(`eyJ${textOf(piece, length)}`, read))
      if (!short || !long) throw new Error('both were done')
      t.ok(long.units <= 200_003, `${what}: ${long.units} units`)
      t.ok(long.steps <= 20 * 200_003, `${what}: ${long.steps} steps`)
      t.ok(
        long.steps <= 11 * short.steps + 1000,
        `${what}: ${short.steps} steps, and ${long.steps} for ten times as much`,
      )
    }
  }
  t.end()
})

const mebibyte = 1024 * 1024

t.test('the longest answers come to an end', (t) => {
  const redaction = new Redaction()
  for (const secret of secrets) redaction.register(secret, 'it')
  for (const what of [
    'headers of tokens',
    'headers and dots',
    'one endless header',
    'keys that begin',
    'percent signs',
  ]) {
    const text = `eyJ${textOf(pieces[what] ?? '', 16 * mebibyte)}`
    t.ok(redaction.clean(text).length > 0, what)
  }
  t.equal(redaction.clean(`%${'25'.repeat(mebibyte)}`).length, 2 * mebibyte + 1, 'percent signs in percent signs')
  t.end()
})
