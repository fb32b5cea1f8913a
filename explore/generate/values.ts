/** Arguments of Daml types: mostly valid, some borderline or invalid. */
import {
  type Arbitrary,
  array,
  boolean,
  constant,
  constantFrom,
  dictionary,
  oneof,
  record,
  subarray,
  tuple,
} from 'fast-check'
import type { Data } from '../../record/types/resolved-row.js'
import { unique, variable } from './draft-step.js'
import type { Fields, Type } from './templates.js'

export interface ValueContext {
  parties: readonly string[]
  contracts(entities: readonly string[]): readonly string[]
  /** Unique to the contract or argument. */
  tag: string
}

const plain = { noNullPrototype: true }

type Primitive = Extract<Type, string>

const valid: Readonly<Record<Primitive, (context: ValueContext) => Arbitrary<Data>>> = {
  Party: ({ parties }) => constantFrom(...parties).map(variable),
  Text: ({ tag }) =>
    oneof(
      { weight: 8, arbitrary: constant(unique(tag)) },
      { weight: 1, arbitrary: constant('') },
      { weight: 1, arbitrary: constantFrom(...texts) },
    ),
  Int64: () =>
    oneof(
      { weight: 6, arbitrary: constantFrom('1', '2', '3', '4', '5', '6', '7', '8', '9') },
      { weight: 2, arbitrary: constantFrom('0', '-1') },
      { weight: 1, arbitrary: constantFrom('9223372036854775807', '-9223372036854775808', '9007199254740993') },
    ),
  Numeric: () => constantFrom('1.5', '0', '-2.25', '10', '9999999999999999999999999999.9999999999', '0.0000000001'),
  Bool: () => boolean(),
  Date: () => constantFrom('2024-02-29', '0001-01-01', '9999-12-31', '1970-01-01'),
  Time: () =>
    constantFrom(
      '2020-01-01T00:00:00Z',
      '1969-12-31T23:59:59.999999Z',
      '9999-12-31T23:59:59.999999Z',
      '2050-06-01T12:00:00.5Z',
    ),
  Unit: () => constant({}),
  Depth: () => constantFrom('0', '1', '2', '3', '4'),
}

const invalid: Readonly<Record<Primitive, readonly Data[]>> = {
  Party: ['', 'unknown::1220', 'not a party!', `${variable('alice')}x`],
  Text: ['\u0000', 'x'.repeat(5000)],
  Int64: ['9223372036854775808', '3.0', '', '+3', '007', 'x', '3e2'],
  Numeric: ['1.00000000001', '99999999999999999999999999999', '.5', '5.', '1e3', ''],
  Bool: ['true'],
  Date: ['2023-02-29', '10000-01-01', ''],
  Time: ['2020-01-01T00:00:00', '2020-01-01T00:00:00.1234567Z', ''],
  Unit: ['', []],
  Depth: ['-1', '101'],
}

const texts: readonly string[] = [
  'naïve \u{1F600} \u202Eright',
  'quoted" \\ / tab\t line\n',
  'e\u0301',
  '\u2028',
  variable('row'),
]

/** One in a hundred is of another kind. */
const mostly = (usual: Arbitrary<Data>, unusual: Arbitrary<Data>): Arbitrary<Data> =>
  oneof({ weight: 98, arbitrary: usual }, { weight: 2, arbitrary: unusual })

const ofAnotherKind: Arbitrary<Data> = constantFrom<Data[]>(null, 7, '', [], {}, true)

function argumentOf(type: Type, context: ValueContext): Arbitrary<Data> {
  if (typeof type === 'string') return mostly(valid[type](context), constantFrom(...invalid[type]))
  if ('enum' in type) return mostly(constantFrom(...type.enum), constant('Purple'))
  if ('contract' in type) return contractOf(type.contract, context)
  return mostly(composed(type, context), ofAnotherKind)
}

function composed(
  type: Exclude<Type, string | { enum: unknown } | { contract: unknown }>,
  context: ValueContext,
): Arbitrary<Data> {
  if ('list' in type) return array(argumentOf(type.list, context), { maxLength: 3 })
  if ('optional' in type) return optionalOf(type.optional, context)
  if ('record' in type) return recordOf(type.record, context)
  if ('pairs' in type) {
    const [key, value] = type.pairs
    return array(tuple(argumentOf(key, context), argumentOf(value, context)), { maxLength: 3 })
  }
  if ('textMap' in type)
    return dictionary(constantFrom('b', '', 'ünï', 'a b'), argumentOf(type.textMap, context), { maxKeys: 3, ...plain })
  const variants = Object.entries(type.variant).map(([tag, inner]) =>
    record({ tag: mostly(constant(tag), constant('Other')), value: argumentOf(inner, context) }),
  )
  return oneof(...variants)
}

/** In a nested optional value, an array distinguishes the levels. */
function optionalOf(type: Type, context: ValueContext): Arbitrary<Data> {
  const isNested = typeof type === 'object' && 'optional' in type
  const present = argumentOf(type, context).map((value): Data => {
    if (!isNested) return value
    return Array.isArray(value) || value === null ? [value ?? []] : [[value]]
  })
  return oneof({ weight: 6, arbitrary: present }, { weight: 4, arbitrary: constant<Data>(isNested ? [] : null) })
}

function contractOf(entities: readonly string[], { contracts }: ValueContext): Arbitrary<Data> {
  const known = contracts(entities)
  const any = contracts([])
  const unknown = constantFrom<Data[]>(`00${'ab'.repeat(32)}`, 'nothing', '')
  const others = oneof(
    ...any.flatMap((name) => [constant<Data>(variable(name)), constant<Data>({ '$flip-digit': variable(name) })]),
    unknown,
  )
  return known.length > 0
    ? oneof({ weight: 6, arbitrary: constantFrom(...known).map(variable) }, { weight: 1, arbitrary: others })
    : others
}

/** All fields; rarely some too few or one too many. */
export function recordOf(fields: Fields, context: ValueContext): Arbitrary<Record<string, Data>> {
  const members = Object.fromEntries(Object.entries(fields).map(([name, type]) => [name, argumentOf(type, context)]))
  const surplus = constantFrom<Data[]>(null, '1')
  return oneof(
    { weight: 98, arbitrary: record(members, plain) },
    { weight: 1, arbitrary: record({ ...members, surplus }, plain) },
    {
      weight: 1,
      arbitrary: subarray(Object.entries(members)).chain((some) => record(Object.fromEntries(some), plain)),
    },
  )
}
