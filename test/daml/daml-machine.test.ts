/** The machine that evaluates Daml-LF: expressions, exceptions, bounds. */
import t from 'tap'
import { compareValues } from '../../daml/machine/compare.js'
import { evaluate } from '../../daml/machine/frames.js'
import { Machine } from '../../daml/machine/machine.js'
import { nil, type Value } from '../../daml/machine/values.js'
import { failureOf, programOf, resultOf, resultOfExpr, resultOn } from './lf-program.js'

t.test('functions accept partial and full application, and capture their environment', (t) => {
  t.equal(resultOfExpr('(\\(a: Int64) (b: Int64) -> SUB_INT64 a b) 7 2'), 5n)
  t.equal(resultOfExpr('let f : Int64 -> Int64 = (\\(a: Int64) (b: Int64) -> SUB_INT64 a b) 7 in f 2'), 5n)
  t.equal(resultOfExpr('(\\(a: Int64) -> \\(b: Int64) -> SUB_INT64 a b) 7 2'), 5n)
  t.equal(
    resultOfExpr(
      'let x : Int64 = 1 in let f : Int64 -> Int64 = \\(y: Int64) -> ADD_INT64 x y in let x : Int64 = 9 in f 1',
    ),
    2n,
  )
  t.equal(
    resultOfExpr(
      'FOLDL @Int64 @Int64 (\\(s: Int64) (i: Int64) -> SUB_INT64 s i) 10 (Cons @Int64 [1, 2, 3] (Nil @Int64))',
    ),
    4n,
  )
  t.equal(
    resultOfExpr(
      'FOLDR @Int64 @Int64 (\\(i: Int64) (s: Int64) -> SUB_INT64 i s) 10 (Cons @Int64 [1, 2, 3] (Nil @Int64))',
    ),
    -8n,
  )
  t.equal(
    resultOfExpr(
      'EQUAL_LIST @Int64 (\\(a: Int64) (b: Int64) -> EQUAL @Int64 a b) (Cons @Int64 [1] (Nil @Int64)) (Nil @Int64)',
    ),
    false,
  )
  t.end()
})

t.test('records, variants, enums and optionals are constructed, updated and matched', (t) => {
  const definitions = `
    record @serializable R = { a: Int64, b: Int64 };
    variant @serializable V = A : Int64 | B : Unit;
    enum @serializable E = X | Y;`
  const value = (expr: string) => resultOfExpr(expr, definitions)
  t.equal(value('M:R {b} (M:R { a = 1, b = 2 })'), 2n)
  t.equal(value('let r : M:R = M:R { a = 1, b = 2 } in ADD_INT64 (M:R {a} (M:R {r with a = 5})) (M:R {a} r)'), 6n)
  t.equal(value('case M:V:A 4 of M:V:B u -> 0 | M:V:A n -> n'), 4n)
  t.equal(value('case M:E:Y of M:E:X -> 0 | _ -> 1'), 1n)
  t.equal(value('case Some @Int64 3 of None -> 0 | Some x -> x'), 3n)
  t.equal(value('case Cons @Int64 [1, 2] (Nil @Int64) of Nil -> 0 | Cons head tail -> head'), 1n)
  t.equal(value('LESS @M:E M:E:X M:E:Y'), true)
  t.equal(value('EQUAL @M:R (M:R { a = 1, b = 2 }) (M:R { b = 2, a = 1 })'), true)
  t.end()
})

t.test('an uncaught exception ends the evaluation with its message', (t) => {
  const status = (expr: string, definitions = '') => failureOf(() => resultOfExpr(expr, definitions))
  t.match(status('DIV_INT64 7 0'), {
    kind: 'status',
    errorId: 'UNHANDLED_EXCEPTION/DA.Exception.ArithmeticError:ArithmeticError',
    category: 9,
    message: 'ArithmeticError while evaluating (DIV_INT64 7 0).',
  })
  t.match(status('ERROR @Int64 "no"'), { kind: 'userError', message: 'no' })
  const exceptions = `
    record @serializable Sad = { message: Text };
    exception Sad = { message \\(e: M:Sad) -> M:Sad {message} e };
    record @serializable Worse = {};
    exception Worse = { message \\(e: M:Worse) -> throw @Text @M:Sad (M:Sad { message = "inner" }) };`
  t.match(status('throw @Int64 @M:Sad (M:Sad { message = "so" })', exceptions), {
    errorId: 'UNHANDLED_EXCEPTION/M:Sad',
    message: 'so',
  })
  t.match(status('throw @Int64 @M:Worse (M:Worse {})', exceptions), {
    errorId: 'UNHANDLED_EXCEPTION/M:Worse',
    message: '<Failed to calculate message as M:Sad was thrown during conversion>',
  })
  t.match(
    status(
      'FAIL_WITH_STATUS @Int64 "id" INVALID_INDEPENDENT_OF_SYSTEM_STATE "text" (TEXTMAP_INSERT @Text "k" "v" (TEXTMAP_EMPTY @Text))',
    ),
    {
      kind: 'status',
      errorId: 'id',
      category: 8,
      message: 'text',
      metadata: { k: 'v' },
    },
  )
  t.match(status('case EQUAL @(Int64 -> Int64) (\\(a: Int64) -> a) (\\(a: Int64) -> a) of True -> 1 | False -> 0'), {
    kind: 'notComparable',
  })
  t.match(status('N:nowhere'), { kind: 'missing' })
  t.end()
})

const loops = programOf(`
  val count : Int64 -> Int64 -> Int64 = \\(n: Int64) (sum: Int64) ->
    case EQUAL @Int64 n 0 of True -> sum | False -> M:count (SUB_INT64 n 1) (ADD_INT64 sum 1);
  val deep : Int64 -> Int64 = \\(n: Int64) ->
    case EQUAL @Int64 n 0 of True -> 0 | False -> ADD_INT64 1 (M:deep (SUB_INT64 n 1));
  val forever : Int64 -> Int64 = \\(n: Int64) -> M:forever n;
  val wide : Text -> Text = \\(text: Text) -> M:wide (APPEND_TEXT text text);
  val list : List Int64 -> Int64 = \\(items: List Int64) -> M:list (Cons @Int64 [1] items);
`)

/** `own-packages.test.ts` runs an endless program up to the usual bounds. */
const fewSteps = { steps: 100_000, memory: Number.POSITIVE_INFINITY }
const littleMemory = { steps: Number.POSITIVE_INFINITY, memory: 8 * 1024 * 1024 }

const calling = (entity: string, ...values: bigint[]) =>
  evaluate(
    {
      kind: 'app',
      fun: { kind: 'val', id: { packageId: 'test', module: 'M', entity } },
      args: values.map((value) => ({ kind: 'int64', value })),
    },
    undefined,
  )

t.test('programs end with their result or at their bounds', (t) => {
  t.equal(resultOf(loops, 'count', 50_000n, 0n), 50_000n, 'calls in tail position')
  t.equal(resultOf(loops, 'deep', 50_000n), 50_000n, 'nested calls need no stack')
  const endless = new Machine(loops, undefined, fewSteps)
  endless.begin(calling('forever', 1n))
  t.strictSame(
    failureOf(() => endless.advance(3 * fewSteps.steps)),
    { kind: 'limit', of: 'steps' },
  )
  t.strictSame(
    failureOf(() => resultOf(loops, 'wide', 'text')),
    { kind: 'limit', of: 'memory' },
    'a long text',
  )
  t.strictSame(
    failureOf(() => resultOn(new Machine(loops, undefined, littleMemory), 'list', nil)),
    { kind: 'limit', of: 'memory' },
    'an infinite list',
  )
  t.end()
})

t.test('values with shared parts are compared within the bounds', (t) => {
  const definitions = `
    variant Tree = Leaf : Unit | Fork : M:Both;
    record Both = { a: M:Tree, b: M:Tree };
    val grow : Int64 -> M:Tree -> M:Tree = \\(n: Int64) (tree: M:Tree) ->
      case EQUAL @Int64 n 0 of True -> tree | False -> M:grow (SUB_INT64 n 1) (M:Tree:Fork (M:Both { a = tree, b = tree }));
    val same : Int64 -> Bool = \\(n: Int64) ->
      let tree : M:Tree = M:grow n (M:Tree:Leaf ()) in EQUAL @M:Tree tree tree;`
  const program = programOf(definitions)
  const bounded = (depth: bigint) => resultOn(new Machine(program, undefined, fewSteps), 'same', depth)
  t.equal(bounded(10n), true)
  t.strictSame(
    failureOf(() => bounded(100n)),
    { kind: 'limit', of: 'steps' },
  )
  t.end()
})

t.test('values of different kinds are not compared', (t) => {
  const id = { packageId: 'test', module: 'M', entity: 'T' }
  const type = { kind: 'builtin', name: 'Int64', args: [] } as const
  const spend = (): void => undefined
  const pairs: [Value, Value][] = [
    [
      { kind: 'enum', id, constructorName: 'A', rank: 0 },
      { kind: 'variant', id, constructorName: 'A', rank: 0, value: 1n },
    ],
    [
      { kind: 'any', type, value: 1n },
      { kind: 'typeRep', type },
    ],
  ]
  for (const [one, other] of [...pairs, ...pairs.map(([one, other]): [Value, Value] => [other, one])]) {
    t.match(
      failureOf(() => compareValues(one, other, spend)),
      { kind: 'illTyped' },
    )
    t.equal(compareValues(one, one, spend), 0)
  }
  t.end()
})

t.test('a machine continues where it stopped, and counts its steps', (t) => {
  const machine = new Machine(loops)
  machine.begin(calling('count', 1000n, 0n))
  let parts = 1
  let result = machine.advance(100)
  while (result === undefined) {
    parts += 1
    result = machine.advance(100)
  }
  t.equal(result, 1000n)
  t.ok(parts > 20, `${parts} parts`)
  t.end()
})
