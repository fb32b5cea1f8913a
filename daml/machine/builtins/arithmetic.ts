/** Throws ArithmeticError where Daml does. */
import { printInstant } from '../../../lib/json/instant.js'
import { illTyped } from '../failures.js'
import { divideHalfEven, inBounds, powerOfTen, rescaled, showNumeric } from '../numeric.js'
import { arithmeticErrorId } from '../unhandled.js'
import { type HostFunctionValue, hostFunction, type NumericValue, type Value } from '../values.js'
import { type Args, integer, numeric } from './arguments.js'

const layout = { id: arithmeticErrorId, labels: ['message'], position: new Map([['message', 0]]) }
const type = { kind: 'con' as const, id: arithmeticErrorId, args: [] }

export const partial = (name: string, arity: number, compute: (args: Args) => Value | undefined): HostFunctionValue =>
  hostFunction(arity, (args, host) => {
    const result = compute(args)
    if (result !== undefined) return result
    const message = `ArithmeticError while evaluating (${[name, ...args.map(shown)].join(' ')}).`
    return host.raise({ kind: 'any', type, value: { kind: 'record', layout, fields: [message] } })
  })

function shown(value: Value): string {
  if (typeof value === 'object' && value.kind === 'numeric') return showNumeric(value)
  return typeof value === 'object' ? illTyped('an argument of a builtin is not a number') : String(value)
}

const int64 = (value: bigint): bigint | undefined => (BigInt.asIntN(64, value) === value ? value : undefined)

const onIntegers = (name: string, compute: (a: bigint, b: bigint) => bigint | undefined): HostFunctionValue =>
  partial(name, 2, (args) => {
    const result = compute(integer(args, 0), integer(args, 1))
    return result === undefined ? undefined : int64(result)
  })

/** Undefined if an intermediate product exceeds 64 bits. */
function power(base: bigint, exponent: bigint): bigint | undefined {
  if (exponent < 0n) return undefined
  if (base === 0n || base === 1n) return exponent === 0n ? 1n : base
  if (base === -1n) return exponent % 2n === 0n ? 1n : -1n
  return exponent > 63n ? undefined : base ** exponent
}

/** The first argument gives the scale. */
const scaleOf = (args: Args): number => numeric(args, 0).scale

function rounded(places: bigint, { digits, scale }: NumericValue): NumericValue | undefined {
  if (places > BigInt(scale) || places <= BigInt(scale - 38)) return undefined
  const lost = powerOfTen(scale - Number(places))
  return inBounds(divideHalfEven(digits, lost) * lost, scale)
}

/** Undefined if digits would be lost. */
function exactly(digits: bigint, from: number, to: number): NumericValue | undefined {
  if (to < from && digits % powerOfTen(from - to) !== 0n) return undefined
  return inBounds(rescaled(digits, from, to), to)
}

export const arithmetic = {
  ADD_INT64: onIntegers('ADD_INT64', (a, b) => a + b),
  SUB_INT64: onIntegers('SUB_INT64', (a, b) => a - b),
  MUL_INT64: onIntegers('MUL_INT64', (a, b) => a * b),
  DIV_INT64: onIntegers('DIV_INT64', (a, b) => (b === 0n ? undefined : a / b)),
  MOD_INT64: onIntegers('MOD_INT64', (a, b) => (b === 0n ? undefined : a % b)),
  EXP_INT64: onIntegers('EXP_INT64', power),
  ADD_NUMERIC: partial('ADD_NUMERIC', 2, (args) => {
    const [a, b] = [numeric(args, 0), numeric(args, 1)]
    return inBounds(a.digits + b.digits, a.scale)
  }),
  SUB_NUMERIC: partial('SUB_NUMERIC', 2, (args) => {
    const [a, b] = [numeric(args, 0), numeric(args, 1)]
    return inBounds(a.digits - b.digits, a.scale)
  }),
  MUL_NUMERIC: partial('MUL_NUMERIC', 3, (args) => {
    const [scale, a, b] = [scaleOf(args), numeric(args, 1), numeric(args, 2)]
    return inBounds(rescaled(a.digits * b.digits, a.scale + b.scale, scale), scale)
  }),
  DIV_NUMERIC: partial('DIV_NUMERIC', 3, (args) => {
    const [scale, a, b] = [scaleOf(args), numeric(args, 1), numeric(args, 2)]
    if (b.digits === 0n) return undefined
    // Scale both, so that the quotient has the requested scale.
    const dividend = a.digits * powerOfTen(scale + b.scale)
    return inBounds(divideHalfEven(dividend, b.digits * powerOfTen(a.scale)), scale)
  }),
  ROUND_NUMERIC: partial('ROUND_NUMERIC', 2, (args) => rounded(integer(args, 0), numeric(args, 1))),
  CAST_NUMERIC: partial('CAST_NUMERIC', 2, (args) => {
    const { digits, scale } = numeric(args, 1)
    return exactly(digits, scale, scaleOf(args))
  }),
  SHIFT_NUMERIC: hostFunction(2, (args) => ({
    kind: 'numeric',
    digits: numeric(args, 1).digits,
    scale: scaleOf(args),
  })),
  INT64_TO_NUMERIC: partial('INT64_TO_NUMERIC', 2, (args) => exactly(integer(args, 1), 0, scaleOf(args))),
  NUMERIC_TO_INT64: partial('NUMERIC_TO_INT64', 1, (args) => {
    const { digits, scale } = numeric(args, 0)
    return int64(digits / powerOfTen(scale))
  }),
  INT64_TO_TEXT: hostFunction(1, (args) => integer(args, 0).toString()),
  NUMERIC_TO_TEXT: hostFunction(1, (args) => showNumeric(numeric(args, 0))),
  TIMESTAMP_TO_TEXT: hostFunction(1, (args) => printInstant(integer(args, 0))),
}
