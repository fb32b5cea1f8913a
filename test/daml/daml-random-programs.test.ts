/** Random programs end within their bounds, with a value or a failure. */

import t from 'tap'
import { type BuiltinName, builtins } from '../../daml/language/builtins.js'
import type { Alternative, Expr } from '../../daml/language/expressions.js'
import { EvaluationFailure } from '../../daml/machine/failures.js'
import { evaluate } from '../../daml/machine/frames.js'
import { Machine } from '../../daml/machine/machine.js'
import fc from '../support/records/properties.js'
import { programOf } from './lf-program.js'

const program = programOf(`
  record @serializable R = { a: Int64, b: Text };
  variant @serializable V = A : Int64 | B : M:R;
  enum @serializable E = X | Y;
  val twice : Int64 -> Int64 = \\(n: Int64) -> ADD_INT64 n n;
  val again : Int64 -> Int64 = \\(n: Int64) -> M:again (ADD_INT64 n 1);
`)
const id = (entity: string) => ({ packageId: 'test', module: 'M', entity })
const record = { kind: 'con', id: id('R'), args: [] } as const
const names = ['x', 'y', 'z']
const name = fc.constantFrom(...names)
const builtin = fc.constantFrom(...(Object.keys(builtins) as BuiltinName[])) // its keys are the names

const { expr } = fc.letrec<{ expr: Expr; leaf: Expr; alternative: Alternative }>((tie) => {
  const inner = tie('expr')
  const type = record
  return {
    leaf: fc.oneof(
      name.map((found): Expr => ({ kind: 'var', name: found })),
      fc.bigInt({ min: -5n, max: 70n }).map((value): Expr => ({ kind: 'int64', value })),
      fc.string({ maxLength: 4 }).map((value): Expr => ({ kind: 'text', value })),
      fc.constantFrom('1.', '0.00', '-9.99').map((text): Expr => ({ kind: 'numeric', text })),
      builtin.map((found): Expr => ({ kind: 'builtin', name: found })),
      fc.constantFrom<Expr>(
        { kind: 'nil' },
        { kind: 'none' },
        { kind: 'unit' },
        { kind: 'date', days: 3 },
        { kind: 'typeRep', type },
        { kind: 'enumCon', id: id('E'), constructor: 'X' },
        { kind: 'enumCon', id: id('E'), constructor: 'Z' },
      ),
      fc.constantFrom('twice', 'again', 'nowhere').map((entity): Expr => ({ kind: 'val', id: id(entity) })),
      fc.boolean().map((value): Expr => ({ kind: 'bool', value })),
    ),
    alternative: fc.record({
      pattern: fc.oneof(
        fc.constantFrom<Alternative['pattern']>(
          { kind: 'default' },
          { kind: 'nil' },
          { kind: 'none' },
          { kind: 'unit' },
        ),
        fc.boolean().map((value): Alternative['pattern'] => ({ kind: 'bool', value })),
        fc.tuple(name, name).map(([head, tail]): Alternative['pattern'] => ({ kind: 'cons', head, tail })),
        name.map((binder): Alternative['pattern'] => ({ kind: 'some', binder })),
        name.map((binder): Alternative['pattern'] => ({ kind: 'variant', id: id('V'), constructor: 'A', binder })),
      ),
      body: inner,
    }),
    expr: fc.oneof(
      { maxDepth: 5, depthIdentifier: 'expr' },
      tie('leaf'),
      fc
        .record({ fun: inner, args: fc.array(inner, { minLength: 1, maxLength: 4 }) })
        .map((part): Expr => ({ kind: 'app', ...part })),
      fc
        .record({ params: fc.array(name, { minLength: 1, maxLength: 3 }), body: inner })
        .map((part): Expr => ({ kind: 'abs', ...part })),
      fc.record({ name, bound: inner, body: inner }).map((part): Expr => ({ kind: 'let', ...part })),
      fc
        .record({ scrutinee: inner, alternatives: fc.array(tie('alternative'), { maxLength: 3 }) })
        .map((part): Expr => ({ kind: 'case', ...part })),
      fc.tuple(inner, inner).map(
        ([a, b]): Expr => ({
          kind: 'recCon',
          id: id('R'),
          fields: [
            ['a', a],
            ['b', b],
          ],
        }),
      ),
      inner.map((record): Expr => ({ kind: 'recProj', id: id('R'), field: 'a', record })),
      fc
        .tuple(inner, inner)
        .map(([record, value]): Expr => ({ kind: 'recUpd', id: id('R'), field: 'b', record, value })),
      inner.map((value): Expr => ({ kind: 'variantCon', id: id('V'), constructor: 'A', value })),
      fc
        .tuple(fc.array(inner, { minLength: 1, maxLength: 3 }), inner)
        .map(([front, tail]): Expr => ({ kind: 'cons', front, tail })),
      inner.map((value): Expr => ({ kind: 'some', value })),
      inner.map((value): Expr => ({ kind: 'toAny', any: 'Any', type, value })),
      inner.map((value): Expr => ({ kind: 'fromAny', any: 'Any', type, value })),
      inner.map((value): Expr => ({ kind: 'throw', type, value })),
      inner.map((value): Expr => ({ kind: 'update', update: { kind: 'pure', value } })),
    ),
  }
})

t.test('every random program ends', (t) => {
  const ends = { value: 0, failure: 0 }
  fc.assert(
    fc.property(expr, (found) => {
      const around: Expr = names.reduce<Expr>(
        (body, bound) => ({ kind: 'let', name: bound, bound: { kind: 'int64', value: 3n }, body }),
        found,
      )
      const machine = new Machine(program, undefined, { steps: 20_000, memory: 256 * 1024 * 1024 })
      try {
        machine.complete(evaluate(around, undefined))
        ends.value += 1
      } catch (error) {
        if (!(error instanceof EvaluationFailure)) throw error
        ends.failure += 1
      }
    }),
    { numRuns: 5000 },
  )
  t.ok(ends.value > 500 && ends.failure > 500, `both ends occur: ${JSON.stringify(ends)}`)
  t.end()
})
