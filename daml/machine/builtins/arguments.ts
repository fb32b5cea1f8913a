import { illTyped } from '../failures.js'
import { type ListValue, type MapValue, type NumericValue, none, type OptionalValue, type Value } from '../values.js'

export type Args = readonly Value[]

export function at(args: Args, index: number): Value {
  return args[index] ?? illTyped('a builtin lacks an argument')
}

export function integer(args: Args, index: number): bigint {
  const value = args[index]
  return typeof value === 'bigint' ? value : illTyped('an argument of a builtin is not an Int64')
}

export function text(args: Args, index: number): string {
  const value = args[index]
  return typeof value === 'string' ? value : illTyped('an argument of a builtin is not a Text')
}

export function numeric(args: Args, index: number): NumericValue {
  const value = args[index]
  return typeof value === 'object' && value.kind === 'numeric'
    ? value
    : illTyped('an argument of a builtin is not a Numeric')
}

export function list(args: Args, index: number): ListValue {
  const value = args[index]
  if (typeof value === 'object' && (value.kind === 'nil' || value.kind === 'cons')) return value
  return illTyped('an argument of a builtin is not a List')
}

export function map(args: Args, index: number): MapValue {
  const value = args[index]
  return typeof value === 'object' && value.kind === 'map' ? value : illTyped('an argument of a builtin is not a map')
}

export const optional = (value: Value | undefined): OptionalValue =>
  value === undefined ? none : { kind: 'some', value }
