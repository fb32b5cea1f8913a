/** Mostly valid, some borderline or invalid. */
import type { Data } from '../../record/types/resolved-row.js'
import { unique, variable } from './draft-step.js'
import type { Random } from './random.js'
import type { Fields, Type } from './templates.js'

export interface ValueContext {
  parties: readonly string[]
  contracts(entities: readonly string[]): readonly string[]
  /** Unique to the contract or argument. */
  tag: string
}

const invalidRate = 0.04

const valid: Readonly<Record<Extract<Type, string>, (random: Random, context: ValueContext) => Data>> = {
  Party: (random, { parties }) => variable(random.pick(parties)),
  Text: (random, { tag }) => random.weighted<Data>([8, unique(tag)], [1, ''], [1, random.pick(texts)]),
  Int64: (random) =>
    random.weighted<Data>([6, String(random.below(9) + 1)], [1, '0'], [1, '-1'], [1, random.pick(integers)]),
  Numeric: (random) =>
    random.pick<Data>(['1.5', '0', '-2.25', '10', '9999999999999999999999999999.9999999999', '0.0000000001']),
  Bool: (random) => random.chance(0.5),
  Date: (random) => random.pick(['2024-02-29', '0001-01-01', '9999-12-31', '1970-01-01']),
  Time: (random) =>
    random.pick([
      '2020-01-01T00:00:00Z',
      '1969-12-31T23:59:59.999999Z',
      '9999-12-31T23:59:59.999999Z',
      '2050-06-01T12:00:00.5Z',
    ]),
  Unit: () => ({}),
  Depth: (random) => String(random.below(5)),
}

const invalid: Readonly<Record<Extract<Type, string>, readonly Data[]>> = {
  Party: ['', 'nobody::1220', 'not a party!', `${variable('alice')}x`],
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
const integers: readonly string[] = ['9223372036854775807', '-9223372036854775808', '9007199254740993']

function valueFor(type: Type, random: Random, context: ValueContext): Data {
  if (typeof type === 'string') {
    const isInvalid = random.chance(invalidRate) && random.chance(0.5)
    return isInvalid ? random.pick(invalid[type]) : valid[type](random, context)
  }
  if (random.chance(invalidRate / 4)) return random.pick<Data>([null, 7, '', [], {}, true])
  if ('list' in type) return upTo(3, random, () => valueFor(type.list, random, context))
  if ('optional' in type) return optional(type.optional, random, context)
  if ('textMap' in type)
    return Object.fromEntries(
      ['b', '', 'ünï', 'a b'].slice(0, random.below(4)).map((name) => [name, valueFor(type.textMap, random, context)]),
    )
  if ('pairs' in type) return upTo(3, random, () => type.pairs.map((one) => valueFor(one, random, context)))
  if ('record' in type) return recordOf(type.record, random, context)
  if ('enum' in type) return random.chance(invalidRate) ? 'Purple' : random.pick(type.enum)
  if ('variant' in type) {
    const [tag, inner] = random.pick(Object.entries(type.variant))
    return { tag: random.chance(invalidRate / 2) ? 'Other' : tag, value: valueFor(inner, random, context) }
  }
  return contractOf(type.contract, random, context)
}

/** All fields; rarely one too few or too many. */
export function recordOf(fields: Fields, random: Random, context: ValueContext): Record<string, Data> {
  const made = Object.fromEntries(Object.entries(fields).map(([name, type]) => [name, valueFor(type, random, context)]))
  const names = Object.keys(made)
  if (names.length > 0 && random.chance(invalidRate / 4)) delete made[random.pick(names)]
  if (random.chance(invalidRate / 4)) made['surplus'] = random.pick<Data>([null, '1'])
  return made
}

function optional(type: Type, random: Random, context: ValueContext): Data {
  const isNested = typeof type === 'object' && 'optional' in type
  if (random.chance(0.4)) return isNested ? [] : null
  const value = valueFor(type, random, context)
  return isNested ? (Array.isArray(value) || value === null ? [value ?? []] : [[value]]) : value
}

function contractOf(entities: readonly string[], random: Random, { contracts }: ValueContext): Data {
  const known = contracts(entities)
  const any = contracts([])
  if (known.length > 0 && random.chance(0.85)) return variable(random.pick(known))
  if (any.length > 0 && random.chance(0.6))
    return random.chance(0.5) ? variable(random.pick(any)) : { '$flip-digit': variable(random.pick(any)) }
  return random.pick<Data>([`00${'ab'.repeat(32)}`, 'nothing', ''])
}

const upTo = (most: number, random: Random, make: () => Data): Data[] =>
  Array.from({ length: random.below(most + 1) }, make)
