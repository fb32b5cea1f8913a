/** Compares the builtins with independent models. */
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import t from 'tap'
import type { BuiltinName } from '../../daml/language/builtins.js'
import { builtins } from '../../daml/machine/builtins/builtins.js'
import { apply } from '../../daml/machine/frames.js'
import { Machine } from '../../daml/machine/machine.js'
import { parseNumeric, printNumeric } from '../../daml/machine/numeric.js'
import { itemsOf, listOf, type NumericValue, none, type Value } from '../../daml/machine/values.js'
import fc from '../support/records/properties.js'
import { failureOf, programOf } from './lf-program.js'

const program = programOf('')
const run = (name: BuiltinName, ...args: Value[]): Value => new Machine(program).complete(apply(builtins[name], args))
/** Undefined for an ArithmeticError. */
function partial(name: BuiltinName, ...args: Value[]): Value | undefined {
  let result: Value | undefined
  const failure = failureOf(() => {
    result = run(name, ...args)
  })
  if (failure && (failure.kind !== 'status' || !failure.errorId.endsWith(':ArithmeticError'))) {
    throw new Error(`${name} failed with ${JSON.stringify(failure)}`)
  }
  return result
}

const [least, greatest] = [-(2n ** 63n), 2n ** 63n - 1n]
const edge = fc.constantFrom(least, least + 1n, -1n, 0n, 1n, 2n, 10n, greatest - 1n, greatest)
const int64 = fc.oneof(edge, fc.bigInt({ min: least, max: greatest }), fc.bigInt({ min: -100n, max: 100n }))
const within = (value: bigint): bigint | undefined => (value >= least && value <= greatest ? value : undefined)

t.test('integer operations on 64 bits are exact, and have no result beyond the bounds', (t) => {
  fc.assert(
    fc.property(int64, int64, (a, b) => {
      t.equal(partial('ADD_INT64', a, b), within(a + b))
      t.equal(partial('SUB_INT64', a, b), within(a - b))
      t.equal(partial('MUL_INT64', a, b), within(a * b))
      const quotient =
        b === 0n
          ? undefined
          : within((a < 0n ? -1n : 1n) * (b < 0n ? -1n : 1n) * ((a < 0n ? -a : a) / (b < 0n ? -b : b)))
      t.equal(partial('DIV_INT64', a, b), quotient)
      t.equal(partial('MOD_INT64', a, b), b === 0n ? undefined : a - (a / b) * b)
      t.equal(run('INT64_TO_TEXT', a), `${a}`)
      t.strictSame(run('TEXT_TO_INT64', `${a}`), { kind: 'some', value: a })
    }),
  )
  fc.assert(
    fc.property(int64, fc.bigInt({ min: -2n, max: 70n }), (base, exponent) => {
      let product: bigint | undefined = exponent < 0n ? undefined : 1n
      for (let count = 0n; count < exponent && product !== undefined; count += 1n) product = within(product * base)
      t.equal(partial('EXP_INT64', base, exponent), product)
    }),
  )
  t.strictSame(
    ['+5', '-5', '007', '', '+', '5.0', ' 5', '9223372036854775808', '-9223372036854775808'].map((text) => {
      const found = run('TEXT_TO_INT64', text)
      return typeof found === 'object' && found.kind === 'some' ? found.value : undefined
    }),
    [5n, -5n, 7n, undefined, undefined, undefined, undefined, undefined, least],
  )
  t.end()
})

const scale = fc.integer({ min: 0, max: 37 })
const digits = fc.oneof(
  fc.bigInt({ min: -(10n ** 38n) + 1n, max: 10n ** 38n - 1n }),
  fc.bigInt({ min: -1000n, max: 1000n }),
)
/** Rounds half to even. */
function nearest(numerator: bigint, denominator: bigint, places: number): bigint | undefined {
  const [top, bottom] = denominator < 0n ? [-numerator, -denominator] : [numerator, denominator]
  const scaled = top * 10n ** BigInt(places)
  const floor = scaled >= 0n ? scaled / bottom : -((-scaled + bottom - 1n) / bottom)
  const rest = 2n * (scaled - floor * bottom)
  const rounded = rest > bottom || (rest === bottom && floor % 2n !== 0n) ? floor + 1n : floor
  const size = rounded < 0n ? -rounded : rounded
  return size < 10n ** 38n ? rounded : undefined
}
const numeric = (digits: bigint, scale: number): NumericValue => ({ kind: 'numeric', digits, scale })
const number = (value: Value | undefined): bigint | undefined =>
  typeof value === 'object' && value.kind === 'numeric' ? value.digits : undefined

t.test('Numerics have 38 digits and round half to even', (t) => {
  fc.assert(
    fc.property(digits, digits, scale, scale, scale, (a, b, s1, s2, s3) => {
      const [x, y, witness] = [numeric(a, s1), numeric(b, s2), numeric(0n, s3)]
      const same = numeric(b, s1)
      t.equal(number(partial('ADD_NUMERIC', x, same)), nearest(a + b, 1n, 0))
      t.equal(number(partial('SUB_NUMERIC', x, same)), nearest(a - b, 1n, 0))
      t.equal(number(partial('MUL_NUMERIC', witness, x, y)), nearest(a * b, 10n ** BigInt(s1 + s2), s3))
      const quotient = b === 0n ? undefined : nearest(a * 10n ** BigInt(s2), b * 10n ** BigInt(s1), s3)
      t.equal(number(partial('DIV_NUMERIC', witness, x, y)), quotient)
      const exact = (a * 10n ** BigInt(s3)) % 10n ** BigInt(s1) === 0n
      t.equal(number(partial('CAST_NUMERIC', witness, x)), exact ? nearest(a, 10n ** BigInt(s1), s3) : undefined)
      t.equal(printNumeric(parseNumeric(printNumeric(x))), printNumeric(x))
      const text = run('NUMERIC_TO_TEXT', x)
      t.match(text, /^-?(0|[1-9]\d*)\.(0|\d*[1-9])$/)
      t.strictSame(run('TEXT_TO_NUMERIC', x, text), { kind: 'some', value: x })
    }),
  )
  fc.assert(
    fc.property(digits, scale, fc.integer({ min: -40, max: 40 }), (a, places, to) => {
      const rounded = partial('ROUND_NUMERIC', BigInt(to), numeric(a, places))
      if (to > places || to <= places - 38) return t.equal(rounded, undefined)
      const unit = 10n ** BigInt(places - to)
      const expected = nearest(a, unit, 0)
      const whole = expected === undefined ? undefined : expected * unit
      return t.equal(number(rounded), whole !== undefined && nearest(whole, 1n, 0) !== undefined ? whole : undefined)
    }),
  )
  t.equal(partial('NUMERIC_TO_INT64', parseNumeric('-1.9')), -1n)
  t.equal(partial('NUMERIC_TO_INT64', parseNumeric('9223372036854775808.0')), undefined)
  t.equal(number(partial('INT64_TO_NUMERIC', parseNumeric(`0.${'0'.repeat(37)}`), 10n)), undefined)
  t.end()
})

t.test('Text consists of code points', (t) => {
  const text = fc.string({ unit: 'binary', maxLength: 30 })
  fc.assert(
    fc.property(text, text, (a, b) => {
      const points = Array.from(a, (point) => BigInt(point.codePointAt(0) ?? 0))
      t.strictSame([...itemsOf(listIn(run('TEXT_TO_CODE_POINTS', a)))], points)
      t.equal(run('CODE_POINTS_TO_TEXT', listOf(points)), a)
      t.equal(run('IMPLODE_TEXT', run('EXPLODE_TEXT', a)), a)
      t.equal(run('APPEND_TEXT', a, b), a + b)
      t.equal(run('SHA256_TEXT', a), createHash('sha256').update(Buffer.from(a, 'utf8')).digest('hex'))
      t.equal(run('HEX_TO_TEXT', run('TEXT_TO_HEX', a)), a)
      const order = Buffer.compare(Buffer.from(a), Buffer.from(b))
      t.strictSame(
        [run('LESS', a, b), run('EQUAL', a, b), run('GREATER_EQ', a, b)],
        [order < 0, order === 0, order >= 0],
      )
    }),
  )
  t.match(
    failureOf(() => run('CODE_POINTS_TO_TEXT', listOf([0xd800n]))),
    { kind: 'illTyped' },
  )
  t.strictSame(run('TEXT_TO_PARTY', 'alice::1220ab'), { kind: 'some', value: 'alice::1220ab' })
  t.equal(run('TEXT_TO_PARTY', 'Älis'), none)
  t.equal(run('CONTRACT_ID_TO_TEXT', '00'), none)
  t.end()
})

function listIn(value: Value) {
  if (typeof value === 'object' && (value.kind === 'nil' || value.kind === 'cons')) return value
  throw new Error('a list was expected')
}

t.test('Date and Timestamp are converted up to their bounds', (t) => {
  const days = fc.integer({ min: -719_162, max: 2_932_896 })
  fc.assert(
    fc.property(days, (day) => {
      t.equal(run('UNIX_DAYS_TO_DATE', BigInt(day)), day)
      t.equal(run('DATE_TO_UNIX_DAYS', day), BigInt(day))
      const [year = '', month = '', date = ''] = String(run('DATE_TO_TEXT', day)).split('-')
      t.equal(new Date(0).setUTCFullYear(Number(year), Number(month) - 1, Number(date)) / 86_400_000, day)
    }),
  )
  for (const day of [-719_163n, 2_932_897n, greatest]) t.equal(partial('UNIX_DAYS_TO_DATE', day), undefined)
  const micros = fc.bigInt({ min: -62_135_596_800_000_000n, max: 253_402_300_799_999_999n })
  fc.assert(
    fc.property(micros, (at) => {
      t.equal(run('UNIX_MICROSECONDS_TO_TIMESTAMP', at), at)
      t.equal(run('TIMESTAMP_TO_UNIX_MICROSECONDS', at), at)
      const text = String(run('TIMESTAMP_TO_TEXT', at))
      t.match(text, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?Z$/)
      t.equal(BigInt(Date.parse(text)), (at - (((at % 1000n) + 1000n) % 1000n)) / 1000n)
    }),
  )
  for (const at of [-62_135_596_800_000_001n, 253_402_300_800_000_000n]) {
    t.equal(partial('UNIX_MICROSECONDS_TO_TIMESTAMP', at), undefined)
  }
  t.end()
})

t.test('maps keep the last value of each key, in key order', (t) => {
  const keys = { GENMAP: int64, TEXTMAP: fc.string({ unit: 'binary', maxLength: 5 }) } as const
  for (const kind of ['GENMAP', 'TEXTMAP'] as const) {
    const change = fc.tuple(keys[kind] as fc.Arbitrary<Value>, fc.option(fc.bigInt({ min: 0n, max: 9n }))) // both are keys
    fc.assert(
      fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
        const model = new Map<Value, bigint>()
        let map = builtins[`${kind}_EMPTY`]
        for (const [key, value] of changes) {
          if (value === null) model.delete(key)
          else model.set(key, value)
          map = value === null ? run(`${kind}_DELETE`, key, map) : run(`${kind}_INSERT`, key, value, map)
        }
        t.equal(run(`${kind}_SIZE`, map), BigInt(model.size))
        for (const [key] of changes) {
          const held = model.get(key)
          t.strictSame(run(`${kind}_LOOKUP`, key, map), held === undefined ? none : { kind: 'some', value: held })
        }
        const sorted = [...model.keys()].sort((a, b) =>
          typeof a === 'string' ? Buffer.compare(Buffer.from(a), Buffer.from(String(b))) : a < b ? -1 : 1,
        )
        const listed = kind === 'GENMAP' ? run('GENMAP_KEYS', map) : run('TEXTMAP_TO_LIST', map)
        const found = [...itemsOf(listIn(listed))].map((item) =>
          typeof item === 'object' && item.kind === 'struct' ? item.fields[0] : item,
        )
        t.strictSame(found, sorted)
      }),
    )
  }
  t.end()
})

t.test('hashes and signatures agree with Node', (t) => {
  t.equal(run('KECCAK256_TEXT', ''), 'c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470')
  t.equal(run('SHA256_HEX', '00ff'), createHash('sha256').update(Buffer.from('00ff', 'hex')).digest('hex'))
  t.match(
    failureOf(() => run('SHA256_HEX', 'no hex')),
    { kind: 'crypto', problem: 'MalformedByteEncoding' },
  )
  const pair = generateKeyPairSync('ec', { namedCurve: 'secp256k1' })
  const key = pair.publicKey.export({ format: 'der', type: 'spki' }).toString('hex')
  const message = Buffer.from('a message').toString('hex')
  const signature = sign('sha256', Buffer.from(message, 'hex'), pair.privateKey).toString('hex')
  t.equal(run('SECP256K1_BOOL', signature, message, key), true)
  t.equal(run('SECP256K1_BOOL', signature, '00', key), false)
  t.equal(run('SECP256K1_WITH_ECDSA_BOOL', signature, run('SHA256_HEX', message), key), true)
  t.equal(run('SECP256K1_VALIDATE_KEY', key), true)
  const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey
  const otherKey = other.export({ format: 'der', type: 'spki' }).toString('hex')
  t.equal(run('SECP256K1_VALIDATE_KEY', otherKey), false)
  t.match(
    failureOf(() => run('SECP256K1_BOOL', signature, message, '00')),
    { problem: 'MalformedKey' },
  )
  t.match(
    failureOf(() => run('SECP256K1_BOOL', '00', message, key)),
    { problem: 'MalformedSignature' },
  )
  t.end()
})
