/** Well-typed packages, and the errors of others. */
import { createHash } from 'node:crypto'
import { zipSync } from 'fflate'
import t from 'tap'
import { readDar } from '../../daml/archive/dar.js'
import { LfTypeError } from '../../daml/check/lf-type-error.js'
import { checkPackage } from '../../daml/check/package.js'
import { ArchiveError } from '../../daml/decode/archive-error.js'
import { decodePackage } from '../../daml/decode/package.js'
import type { Expr } from '../../daml/language/expressions.js'
import type { Package } from '../../daml/language/package.js'
import type { Type } from '../../daml/language/types.js'
import { Program } from '../../daml/machine/program.js'
import { readPackageText } from '../../daml/text/package.js'
import { bytesField } from '../../lib/protobuf/protobuf.js'
import { builtInPackages } from '../../simulator/ledger/packages/package-store.js'
import { modelStore, packages, readPackage } from '../support/ledgers/model-packages.js'
import { simulatorEnvironment } from '../support/ledgers/simulator-environment.js'

/** Undefined for a well-typed package. */
function problemOf(found: Package, others: (id: string) => Package | undefined = () => undefined): string | undefined {
  const program = new Program((id) => (id === found.id ? found : others(id)))
  try {
    for (const _ of checkPackage(found, program));
    return undefined
  } catch (error) {
    if (error instanceof LfTypeError) return error.message
    throw error
  }
}

const packageOf = (definitions: string): Package =>
  readPackageText(`metadata ( 'test' : '1.0.0' ) module M { ${definitions} }`, 'test', '2.1')

const problemIn = (definitions: string): string | undefined => problemOf(packageOf(definitions))

t.test('the packages of the model and the built-in ones are well typed', (t) => {
  t.ok(packages.length > 5)
  for (const { name, held } of packages) {
    t.equal(
      problemOf(held.content, (id) => modelStore.get(id)?.content ?? builtInPackages.get(id)?.content),
      undefined,
      name,
    )
  }
  for (const { name, content } of builtInPackages.values()) {
    t.equal(
      problemOf(content, (id) => builtInPackages.get(id)?.content),
      undefined,
      name,
    )
  }
  t.end()
})

const data = `
  record @serializable R = { a: Int64, b: Text };
  record Box (f:*->*) (a:*) = { held: f a };
  record Poly (a:*) = { apply: forall (b:*). a -> b -> a };
  variant @serializable V (a:*) = A : a | B : Unit;
  enum @serializable E = X | Y;`

t.test('well-typed programs are accepted', (t) => {
  const programs = [
    'val id : forall (a:*). a -> a = /\\(a:*). \\(x: a) -> x; val use : Int64 = M:id @Int64 3;',
    // The names of variables do not matter.
    'val id : forall (b:*). b -> b = /\\(a:*). \\(x: a) -> x;',
    'val k : forall (a:*) (b:*). a -> b -> a = /\\(a:*) (b:*). \\(x: a) (y: b) -> x; val flip : forall (b:*). b -> Int64 -> b = /\\(b:*). M:k @b @Int64;',
    `${data} val box : M:Box Option Int64 = M:Box @Option @Int64 { held = Some @Int64 1 };`,
    `${data} val open : forall (f: * -> *) (a:*). M:Box f a -> f a = /\\(f: * -> *) (a:*). \\(box: M:Box f a) -> M:Box @f @a {held} box;`,
    `${data} val poly : forall (b:*). b -> M:Poly b = /\\(b:*). \\(x: b) -> M:Poly @b { apply = /\\(c:*). \\(y: b) (z: c) -> y };`,
    `${data} val apply : forall (b:*). M:Poly b -> b -> b = /\\(b:*). \\(p: M:Poly b) (x: b) -> M:Poly @b {apply} p @b x x;`,
    `${data} val v : M:V Int64 -> Int64 = \\(v: M:V Int64) -> case v of M:V:A n -> n | M:V:B u -> 0;`,
    `${data} val e : M:E -> Bool = \\(e: M:E) -> case e of M:E:X -> True | _ -> False;`,
    'val n : forall (n: nat). Numeric n -> Numeric n = /\\(n: nat). \\(x: Numeric n) -> ADD_NUMERIC @n x x; val m : Numeric 2 = M:n @2 1.25;',
    'val fold : List Int64 -> Int64 = FOLDL @Int64 @Int64 ADD_INT64 0;',
    'val now : Update Timestamp = ubind t : Timestamp <- uget_time in upure @Timestamp t;',
  ]
  for (const program of programs) t.equal(problemIn(program), undefined, program)
  t.end()
})

t.test('an ill-typed program is rejected with its definition and fault', (t) => {
  const programs: [program: string, message: RegExp][] = [
    ['val x : Int64 = "a";', /^M, value x: the expression has the type Text, expected Int64$/],
    ['val x : Int64 = ADD_INT64 1 "a";', /^M, value x: an expression \(text\) has the type Text, expected Int64$/],
    ['val x : Int64 = 1 2;', /a value of the type Int64 is applied as a function$/],
    ['val x : Int64 = y;', /variable y is not known/],
    ['val x : Int64 = M:nowhere;', /^M, value x: package test has no value M:nowhere/],
    ['val x : Int64 = N:nowhere;', /has no value N:nowhere/],
    ['val x : M:Nothing = 1;', /has no type M:Nothing/],
    ['val x : Option = 1;', /the type Optional has the kind \(\* -> \*\), expected \*/],
    ['val x : Numeric Int64 = 1.0;', /the type Int64 has the kind \*, expected nat/],
    ['val x : Numeric 2 = 1.0;', /has the type \(Numeric 1\), expected \(Numeric 2\)/],
    ['val x : Int64 Int64 = 1;', /a type of kind \* is applied to Int64/],
    ['val x : a = 1;', /type variable a is not known/],
    ['val x : forall (a:*). a = /\\(a: nat). 1;', /value x: the expression has the type forall a\. Int64/],
    ['val f : forall (a: * -> nat). Int64 = 1;', /the kind of a ends in nat/],
    ['val x : Int64 = 1 @Int64;', /is applied to a type/],
    // `b` is not the variable that is bound inside.
    [
      'val k : forall (a:*) (b:*). a -> b -> a = /\\(a:*) (b:*). \\(x: a) (y: b) -> x; val f : forall (b:*). forall (c:*). b -> c -> c = /\\(b:*). M:k @b;',
      /value f: the expression has the type forall b b\. \(b -> \(b -> b\)\), expected forall b c/,
    ],
    [`${data} val x : M:R = M:R { a = 1 };`, /M:R has the fields a, b, but a are given$/],
    [`${data} val x : M:R = M:R { };`, /M:R has the fields a, b, but none are given$/],
    [`${data} val x : M:R = M:R { b = "", a = 1 };`, /M:R has the fields a, b, but b, a are given$/],
    [`${data} val x : Int64 = M:R {c} (M:R { a = 1, b = "" });`, /M:R has no c/],
    [`${data} val x : Int64 = M:R {a} 1;`, /has the type Int64, expected M:R/],
    [`${data} val x : M:V Int64 = M:V:C @Int64 1;`, /\(M:V Int64\) has no C/],
    [`${data} val x : M:V Int64 = M:V:A 1;`, /M:V takes 1 types, but 0 are given/],
    [`${data} val x : M:E = M:E:Z;`, /M:E is not an enum with the constructor Z/],
    [
      `${data} val x : M:V Int64 -> Int64 = \\(v: M:V Int64) -> case v of M:V:A n -> n;`,
      /a case of \(M:V Int64\) does not cover B/,
    ],
    [
      `${data} val x : M:E -> Int64 = \\(e: M:E) -> case e of M:E:X -> 1 | M:E:Y -> "";`,
      /an alternative of a case has the type Text/,
    ],
    ['val x : Int64 = case 1 of Nil -> 1;', /a pattern \(nil\) does not fit the type Int64/],
    ['val x : Int64 = case 1 of True -> 1;', /a pattern \(bool\)/],
    ['val x : List Int64 -> Int64 = \\(l: List Int64) -> case l of Nil -> 1 | Cons y y -> y;', /binds y twice/],
    [
      'val x : Update Int64 = ubind t : Int64 <- uget_time in upure @Int64 t;',
      /has the type \(Update Timestamp\), expected \(Update Int64\)/,
    ],
    ['val x : Update Int64 = ubind t : Timestamp <- uget_time in 1;', /a value of the type Int64 is run as an update/],
    [`${data} val x : Int64 = throw @Int64 @M:R (M:R { a = 1, b = "" });`, /has no exception M:R/],
    [`${data} val x : Update (ContractId M:R) = create @M:R 1;`, /has no template M:R/],
    [
      'record @serializable F = { f: Int64 -> Int64 };',
      /^M, data type F: part f has the type \(Int64 -> Int64\), which cannot be stored$/,
    ],
    ['record F = { a: Int64, a: Int64 };', /data type F: two parts have the same name/],
    ['record F (a:*) (a:*) = { b: a };', /two parameters have the same name/],
  ]
  for (const [program, message] of programs) t.match(problemIn(program), message, program)
  t.end()
})

const template = (parts: Record<string, string> = {}) => {
  const {
    precondition = 'True',
    signatories = 'M:one (M:T {owner} this)',
    argument = 'M:Go',
    update = 'upure @Unit ()',
  } = parts
  const {
    controllers = 'M:one (M:T {owner} this)',
    more = '',
    type = 'record @serializable T = { owner: Party };',
  } = parts
  return `
  ${type}
  record @serializable Go = { n: Int64 };
  record @serializable View = { n: Int64 };
  record Hidden = { n: Int64 };
  val one : Party -> List Party = \\(party: Party) -> Cons @Party [party] (Nil @Party);
  interface (this : I) = { viewtype M:View; method number : Int64; };
  template (this : T) = {
    precondition ${precondition};
    signatories ${signatories};
    observers Nil @Party;
    choice Go (self) (arg: ${argument}) : Unit, controllers ${controllers}, observers Nil @Party to ${update};
    ${more}
  };`
}

t.test('templates, choices and interface instances are type-checked', (t) => {
  const view = 'view = M:View { n = 1 };'
  t.equal(problemIn(template({ more: `implements M:I { ${view} method number = 3; };` })), undefined)
  t.equal(problemIn(template({ more: 'key @Party (M:T {owner} this) (M:one);' })), undefined)
  const wrong: [parts: Record<string, string>, message: RegExp][] = [
    [{ precondition: '1' }, /^M, template T: precondition: the expression has the type Int64, expected Bool/],
    [
      { signatories: 'M:T {owner} this' },
      /template T: signatories: the expression has the type Party, expected \(List Party\)/,
    ],
    [{ controllers: 'M:one arg' }, /template T: choice Go: controllers: .*M:Go, expected Party/],
    [
      { update: 'upure @Int64 1' },
      /choice Go: update: the expression has the type \(Update Int64\), expected \(Update Unit\)/,
    ],
    [{ argument: 'M:Hidden' }, /choice Go: the argument has the type M:Hidden, which cannot be stored/],
    [{ type: 'record T = { owner: Party };' }, /template T: the definition has the type M:T, which cannot be stored/],
    [
      { type: 'enum @serializable T = X;', signatories: 'Nil @Party', controllers: 'Nil @Party' },
      /the type is not a record/,
    ],
    [{ more: 'key @Party (1) (M:one);' }, /template T: key: the expression has the type Int64, expected Party/],
    [
      { more: 'key @Party (M:T {owner} this) (1);' },
      /key: the expression has the type Int64, expected \(Party -> \(List Party\)\)/,
    ],
    [{ more: `implements M:I { ${view} };` }, /instance of I: method number is missing/],
    [
      { more: `implements M:I { ${view} method number = ""; };` },
      /instance of I: method number: the expression has the type Text/,
    ],
    [{ more: `implements M:I { ${view} method number = 1; method other = 1; };` }, /the interface has no method other/],
    [
      { more: 'implements M:I { view = 1; method number = 1; };' },
      /instance of I: view: the expression has the type Int64/,
    ],
    [{ more: 'implements M:Nothing { view = 1; };' }, /has no interface M:Nothing/],
  ]
  for (const [parts, message] of wrong) t.match(problemIn(template(parts)), message, JSON.stringify(parts))
  t.match(problemIn('interface (this : I) = { viewtype Int64; };'), /interface I: the view is not a record/)
  t.match(
    problemIn(`${template()} val f : M:T -> M:I = \\(x: M:T) -> to_interface @M:I @M:T x;`),
    /value f: M:T does not implement M:I/,
  )
  t.end()
})

const int64: Type = { kind: 'builtin', name: 'Int64', args: [] }

function withValue(definitions: string, name: string, type: Type, body: Expr): Package {
  const found = packageOf(definitions)
  const [module] = found.modules.values()
  if (!module) throw new Error('the package has a module')
  const id = { packageId: 'test', module: 'M', entity: name }
  const values = new Map([...module.values, [name, { id, type, body }]])
  return { ...found, modules: new Map([['M', { ...module, values }]]) }
}

t.test('deep programs are checked, and exponentially growing types are rejected', (t) => {
  let deep: Expr = { kind: 'int64', value: 1n }
  for (let depth = 0; depth < 20_000; depth += 1) {
    deep = { kind: 'app', fun: { kind: 'builtin', name: 'ADD_INT64' }, args: [{ kind: 'int64', value: 1n }, deep] }
  }
  t.equal(problemOf(withValue('', 'deep', int64, deep)), undefined, 'nested calls need no stack')
  let bound: Expr = { kind: 'var', name: 'x' }
  for (let depth = 0; depth < 1_000; depth += 1) {
    bound = { kind: 'let', name: `y${depth}`, type: int64, bound: { kind: 'var', name: 'x' }, body: bound }
  }
  t.equal(
    problemOf(
      withValue('', 'bound', int64, {
        kind: 'let',
        name: 'x',
        type: int64,
        bound: { kind: 'int64', value: 1n },
        body: bound,
      }),
    ),
    undefined,
  )
  // Each step doubles the type.
  const definitions =
    'record Two (a:*) = { one: a, two: a }; val twice : forall (a:*). a -> M:Two a = /\\(a:*). \\(x: a) -> M:Two @a { one = x, two = x };'
  let wide: Type = int64
  for (let step = 0; step < 60; step += 1)
    wide = {
      kind: 'struct',
      fields: [
        ['a', wide],
        ['b', wide],
      ],
    }
  const never: Expr = {
    kind: 'app',
    fun: { kind: 'tyApp', body: { kind: 'builtin', name: 'ERROR' }, types: [wide] },
    args: [{ kind: 'text', value: '' }],
  }
  t.match(
    problemOf(withValue(definitions, 'wide', wide, never)),
    /the types exceed the size that this simulator checks/,
  )
  let nested: Type = int64
  for (let step = 0; step < 3_000; step += 1) nested = { kind: 'builtin', name: 'List', args: [nested] }
  t.match(problemOf(withValue('', 'nested', nested, { kind: 'nil', type: int64 })), /nested more than 600 deep/)
  t.end()
})

function darOf(content: Uint8Array): Uint8Array {
  const payload = Buffer.concat([bytesField(3, '1'), bytesField(4, Buffer.from(content))])
  const archive = Buffer.concat([
    bytesField(3, payload),
    bytesField(4, createHash('sha256').update(payload).digest('hex')),
  ])
  const manifest =
    'Manifest-Version: 1.0\nMain-Dalf: m.dalf\nDalfs: m.dalf\nFormat: daml-lf\nEncryption: non-encrypted\n'
  return zipSync({ 'META-INF/MANIFEST.MF': Buffer.from(manifest), 'm.dalf': archive })
}

t.test('damaged packages with a correct hash are rejected, or are well typed', async (t) => {
  const { main } = readDar(readPackage('conformance-model-1.0.0.dar'))
  const ends = { unread: 0, illTyped: 0, taken: 0 }
  let illTyped: Buffer | undefined
  for (let at = 0; at < main.package.length; at += 41) {
    const damaged = Buffer.from(main.package)
    damaged.writeUInt8(damaged.readUInt8(at) ^ (1 << (at % 8)), at)
    try {
      const problem = problemOf(decodePackage('test', main.language, damaged), (id) => builtInPackages.get(id)?.content)
      if (problem !== undefined) illTyped = damaged
      ends[problem === undefined ? 'taken' : 'illTyped'] += 1
    } catch (error) {
      if (!(error instanceof ArchiveError)) throw error
      ends.unread += 1
    }
  }
  t.ok(ends.illTyped > 3 && ends.unread > 15 && ends.taken > 1, JSON.stringify(ends))
  if (!illTyped) throw new Error('none of the damaged packages was ill-typed')
  const environment = await simulatorEnvironment(t, {})
  const { status, text } = await environment.wire.send({
    method: 'POST',
    path: '/v2/dars',
    body: Buffer.from(darOf(illTyped)),
  })
  t.equal(status, 400)
  t.match(text, /"code":"DAR_VALIDATION_ERROR"/)
  t.match(
    text,
    /Package validation failed: package [\w-]+ [\d.]+ \([0-9a-f]{64}\): Conformance, (?:data type|\w+) \w+: /,
  )
})
