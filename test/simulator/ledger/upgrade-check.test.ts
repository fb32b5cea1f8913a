/** Which changes of a package are an upgrade. */
import t from 'tap'
import { type HeldPackage, PackageStore } from '../../../simulator/ledger/packages/package-store.js'
import { upgradeProblem } from '../../../simulator/ledger/packages/upgrade-check.js'
import { readPackageText } from '../../support/lf-text/package.js'

function held(digit: string, content: string): HeldPackage {
  const text = `metadata ( 'upgraded' : '1.0.${digit}' ) module M { ${content} }`
  const metadata = { id: digit.repeat(64), name: 'upgraded', version: `1.0.${digit}`, language: '2.3' } as const
  return { ...metadata, bytes: undefined, content: readPackageText(text, metadata.id, metadata.language) }
}

const template = (choices: string): string => `
  record @serializable T = { owner: Party };
  record @serializable Ask = {};
  record @serializable Other = {};
  val one : Party -> List Party = \\(party: Party) -> Cons @Party [party] (Nil @Party);
  template (this : T) = {
    precondition True;
    signatories M:one (M:T {owner} this);
    observers Nil @Party;
    ${choices}
  };`

const choice = (argument: string, result: string): string => `
    choice Ask (self) (arg: M:${argument}) : ${result}
      , controllers M:one (M:T {owner} this)
      , observers Nil @Party
      to ERROR @(Update ${result}) "";`

const key = (type: string): string => `
    key @${type} (ERROR @${type} "") (\\(key: ${type}) -> Nil @Party);`

const interfaces = 'interface (this : I) = { viewtype M:T; }; interface (this : J) = { viewtype M:T; };'
const implementing = (...names: string[]): string =>
  `${interfaces} ${template(names.map((name) => `implements M:${name} { view = this; };`).join(' '))}`

const record = (fields: string): string => `record @serializable R = { ${fields} };`
const variant = (constructors: string): string => `variant @serializable V = ${constructors};`
const enumeration = (constructors: string): string => `enum @serializable E = ${constructors};`
const exception = 'record @serializable X = {}; exception X = { message \\(e: M:X) -> "" };'

t.test('an upgrade keeps what a package defines, and adds optional fields', (t) => {
  const cases: [older: string, newer: string, problem?: RegExp][] = [
    [record('a: Int64'), record('a: Int64, b: Option Text')],
    [record('a: Int64'), record('a: Int64, b: Text'), /data type R has added new fields, .* are not Optional/],
    [record('a: Int64, b: Text'), record('a: Int64'), /is missing some of its original fields/],
    [record('a: Int64, b: Text'), record('b: Text, a: Int64'), /is missing some of its original fields/],
    [record('a: Int64'), record('a: Text'), /has changed the types of some of its original fields/],
    [record('a: Int64'), '', /^Data type R appears in package that is being upgraded/],
    [record('a: Int64'), 'variant @serializable R = A : Int64;', /data type R has changed from a record to a variant/],
    [variant('A : Int64'), variant('A : Int64 | B : Text')],
    [variant('A : Int64 | B : Text'), variant('B : Text | A : Int64'), /changed or reordered its original variants/],
    [variant('A : Int64'), variant('A : Text'), /has changed the type of some of its original variants/],
    [enumeration('A | B'), enumeration('A | B | C')],
    [enumeration('A | B'), enumeration('A | C'), /changed or reordered its original constructors/],
    [exception, ''],
    [exception, exception, /^Tried to upgrade exception X/],
    [template(''), template(choice('Ask', 'Unit'))],
    [template(choice('Ask', 'Unit')), template(''), /^Choice Ask appears in package/],
    [template(choice('Ask', 'Unit')), template(choice('Other', 'Unit')), /choice Ask has changed its argument type/],
    [template(choice('Ask', 'Unit')), template(choice('Ask', 'Text')), /choice Ask has changed its return type/],
    [template(key('Int64')), template(key('Int64'))],
    [template(key('Int64')), template(key('Text')), /^The upgraded template T has changed the type of its key/],
    [template(key('Int64')), template(''), /^The upgraded template T has removed its key/],
    [template(''), template(key('Int64')), /^The upgraded template T has added a key/],
    [implementing('I', 'J'), implementing('I'), /^Implementation of interface J by template T is missing/],
    [implementing('I'), implementing('I', 'J'), /^Tried to upgrade interface I/],
  ]
  for (const [older, newer, problem] of cases) {
    const packages = [held('1', older), held('2', newer)] as const
    const found = upgradeProblem(...packages, new PackageStore(packages))
    if (problem) t.match(found, problem, `${older} becomes ${newer}`)
    else t.equal(found, undefined, `${older} becomes ${newer}`)
  }
  t.end()
})
