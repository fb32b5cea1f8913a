/** The packages of the conformance model. */
import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import t from 'tap'
import { conformanceModel } from '../../../cli/tool/conformance-model.js'
import type { Package } from '../../../daml/language/package.js'
import type { JsonValue } from '../../../lib/json/json.js'
import { encodeDaml } from '../../../simulator/json/daml-encode.js'
import { termsOf } from '../../../simulator/ledger/contracts/contract.js'
import { builtInPackages } from '../../../simulator/ledger/packages/package-store.js'
import { failureOf } from '../../daml/lf-program.js'
import { modelStore, packageOf, packages, packagesIn, templateOf } from '../../support/ledgers/model-packages.js'
import { readStored, storedPackages } from '../../support/lf-text/built-in-packages.js'
import { readPackageText } from '../../support/lf-text/package.js'
import { contractOf, exercise } from '../../support/suites/choice-run.js'

const folder = new URL('../../../../model/packages/', import.meta.url)
const [builtIn] = packages

t.test('a run uploads the described archives, each with its package', (t) => {
  for (const { title, dar, id } of conformanceModel) {
    const [main] = packagesIn(basename(dar))
    // Titles of packages with equal name and version end with a letter.
    t.strictSame([title.replace(/-[ab]$/, ''), id], [`${main?.name} ${main?.version}`, main?.id])
  }
  for (const { dar, id } of conformanceModel) t.ok(readFileSync(dar).includes(`-${id}.dalf`), dar)
  t.strictSame(
    conformanceModel.filter(({ vetted }) => !vetted).map(({ title }) => title),
    ['conformance-upgrade 1.2.0', 'conformance-known 1.0.0-b'],
  )
  t.end()
})

t.test('packages have their published ids, names and versions', (t) => {
  t.same(
    packages.map(({ id, name, version, language }) => [id.slice(0, 8), name, version, language]),
    [
      ['de2cc2f9', 'canton-builtin-admin-workflow-ping', '3.4.0', '2.2'],
      ['bbddb1ce', 'conformance-model', '1.0.0', '2.1'],
      ['2717420a', 'conformance-model-keys', '1.0.0', '2.3'],
      ['a48fb23d', 'conformance-upgrade', '1.0.0', '2.1'],
      ['35221337', 'conformance-upgrade', '1.1.0', '2.1'],
      ['6d4246c4', 'conformance-upgrade', '1.2.0', '2.1'],
      ['3b6eee8a', 'conformance-dependency', '1.0.0', '2.1'],
      ['d7adea99', 'conformance-dependent', '1.0.0', '2.1'],
    ],
  )
  t.equal(builtIn?.id, 'de2cc2f90eb523414ff54e899951dadd8789a4c07e0f71f6d6c9eaf57d412a54')
  t.same(packageOf('conformance-dependent').dependencies, [packageOf('conformance-dependency').id])
  t.end()
})

t.test('each built-in package equals its text', (t) => {
  t.equal(storedPackages.size, 5)
  for (const [name, json] of storedPackages) t.equal(readStored(name), json, name)
  for (const { id, name, version, language, content } of builtInPackages.values()) {
    const source = readFileSync(new URL(`../built-in/${name}-${version}.lf`, folder), 'utf8')
    // JSON has no undefined members, such as the absent key of a template.
    t.strictSame(withoutUndefined(content), withoutUndefined(readPackageText(source, id, language)), name)
  }
  t.end()
})

t.test('each archive equals its text', (t) => {
  const archives = readdirSync(folder).filter((name) => name.endsWith('.dar'))
  t.equal(archives.length, 16)
  for (const archive of archives) {
    const [main] = packagesIn(archive)
    if (!main) throw new Error(`${archive} contains no package`)
    const source = readFileSync(new URL(archive.replace('.dar', '.lf'), folder), 'utf8')
    t.strictSame(inOrder(main.content), inOrder(readPackageText(source, main.id, main.language)), archive)
    t.match(archive, `${main.name}-${main.version}`)
  }
  t.end()
})

function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUndefined)
  if (value instanceof Map) return new Map([...value].map(([key, item]) => [key, withoutUndefined(item)]))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => (item === undefined ? [] : [[key, withoutUndefined(item)]])),
  )
}

/** Sorted by name, because an archive and its text differ in order. */
function inOrder(content: Package): unknown {
  const sorted = <T>(map: ReadonlyMap<string, T>) => [...map].sort(([a], [b]) => (a < b ? -1 : 1))
  const modules = sorted(content.modules).map(([name, module]) => ({
    ...module,
    name,
    dataTypes: sorted(module.dataTypes),
    values: sorted(module.values),
    interfaces: sorted(module.interfaces).map(([, item]) => ({ ...item, choices: sorted(item.choices) })),
    templates: sorted(module.templates).map(([, item]) => ({
      ...item,
      choices: sorted(item.choices),
      implements: item.implements.toSorted((a, b) => (a.interface.entity < b.interface.entity ? -1 : 1)),
    })),
  }))
  return { ...content, modules }
}

t.test('the built-in package has its templates, fields and choices', (t) => {
  t.same(
    builtIn?.templates.map(({ id, argument, choices }) => [
      `${id.module}:${id.entity}`,
      argument.fields.map(([label]) => label).join(' '),
      choices.map(({ name, consuming, argument: { fields } }) => {
        t.ok(consuming)
        return `${name}(${fields.map(([label]) => label).join(' ')})`
      }),
    ]),
    [
      ['Canton.Internal.Ping:Ping', 'id initiator responder', ['Archive()', 'Respond()', 'AbortPing(anyone)']],
      [
        'Canton.Internal.Bong:Collapse',
        'id initiator validators responders path timeout',
        ['Archive()', 'ProcessCollapse(winner)', 'AbortCollapse(anyone)'],
      ],
      [
        'Canton.Internal.Bong:Bong',
        'id initiator validators responder observers timeout',
        ['Archive()', 'Ack()', 'AbortBong(anyone)'],
      ],
      [
        'Canton.Internal.Bong:Merge',
        'id initiator validators responders path timeout',
        ['Archive()', 'ProcessMerge(winner leftId rightId)', 'AbortMerge(anyone)'],
      ],
      [
        'Canton.Internal.Bong:Explode',
        'id initiator validators responders path maxLevel timeout',
        ['Archive()', 'ProcessExplode(winner)', 'AbortExplode(anyone)'],
      ],
      [
        'Canton.Internal.Bong:BongProposal',
        'id initiator candidates validators responders maxLevel timeout',
        ['Archive()', 'Accept(validator)', 'AbortBongProposal(anyone)'],
      ],
    ],
  )
  t.end()
})

const timeout = '2030-01-01T00:00:00Z'
const bongParties = { initiator: 'i', validators: ['v', 'w'], responders: ['r'] }
const proposed = { id: 'b', ...bongParties, candidates: ['c', 'd'], maxLevel: '1', timeout }
const exploded = { id: 'b', ...bongParties, path: '', maxLevel: '2', timeout }
const merging = { id: 'b', ...bongParties, path: '', timeout }
const everyType = {
  owner: 'o',
  text: 'text',
  int: '42',
  decimal: '1.5',
  bool: true,
  date: '2026-11-21',
  time: '2026-11-21T10:00:00.123456Z',
  unit: {},
  optionalText: 'some',
  nestedOptional: [['7']],
  list: ['1'],
  textMap: {},
  genMap: [['1', 'one']],
  record: { a: '1', b: 'b' },
  variant: { tag: 'Circle', value: '5' },
  enum: 'Green',
}

const termsOn = (entity: string, payload: JsonValue) => {
  const template = templateOf(entity)
  return termsOf(template.id, contractOf(template, payload), modelStore)
}

t.test('the payload determines signatories and observers, and signatories control Archive', (t) => {
  const examples: [entity: string, payload: JsonValue, signatories: string, observers: string][] = [
    ['Ping', { id: 'p', initiator: 'i', responder: 'r' }, 'i', 'r'],
    ['BongProposal', proposed, 'i v w', 'c d r'],
    ['Bong', { id: 'b', initiator: 'i', validators: ['v'], responder: 'r', observers: ['s'], timeout }, 'i r', 's v'],
    ['Explode', exploded, 'i v w', 'r'],
    ['Merge', merging, 'i v w', 'r'],
    ['Collapse', merging, 'i v w', 'r'],
    ['AllTypes', everyType, 'o', ''],
    ['Joint', { first: 'a', second: 'b', observers: ['c', 'd'] }, 'a b', 'c d'],
    ['Guarded', { owner: 'o', amount: '1' }, 'o', ''],
    ['Asset', { issuer: 'i', owner: 'o', name: 'n', amount: '1' }, 'i', 'o'],
    ['Note', { author: 'a', readers: ['r', 's'], text: 't' }, 'a', 'r s'],
    ['Delegation', { principal: 'p', agent: 'a' }, 'p', 'a'],
    ['Keyed', { owner: 'o', observers: ['p'], id: 'i', text: 't' }, 'o', 'p'],
    ['Upgradable', { owner: 'o', text: 't' }, 'o', ''],
    ['Dependent', { owner: 'o', price: { currency: 'CHF', amount: '1' } }, 'o', ''],
  ]
  for (const [entity, payload, signatories, observers] of examples) {
    const terms = termsOn(entity, payload)
    t.equal(terms.signatories.join(' '), signatories, `signatories of ${entity}`)
    t.equal(terms.observers.join(' '), observers, `observers of ${entity}`)
    const archived = exercise(templateOf(entity), payload, 'Archive', {})
    t.same(archived, { controllers: signatories.split(' '), consuming: true, acts: [], result: {} })
  }
  const entities = new Set(packages.flatMap(({ templates }) => templates.map(({ id }) => id.entity)))
  t.equal(examples.length, entities.size, 'each template has an example')
  t.end()
})

t.test('ensure accepts valid payloads only, and defines its error', (t) => {
  const holds = (entity: string, payload: JsonValue): boolean => termsOn(entity, payload).admissible
  const violated = (payload: JsonValue) => failureOf(() => termsOn('BongProposal', payload))
  t.equal(holds('BongProposal', proposed), true)
  for (const part of [{ candidates: [] }, { candidates: ['c', 'c'] }, { validators: ['v', 'v'] }]) {
    t.match(violated({ ...proposed, ...part }), {
      errorId: 'UNHANDLED_EXCEPTION/DA.Exception.PreconditionFailed:PreconditionFailed',
      message: 'Template precondition violated: BongProposal',
      category: 9,
    })
  }
  t.equal(holds('BongProposal', { ...proposed, validators: [] }), true)
  t.equal(holds('Guarded', { owner: 'o', amount: '1' }), true)
  t.equal(holds('Guarded', { owner: 'o', amount: '0' }), false)
  t.equal(holds('Guarded', { owner: 'o', amount: '-1' }), false)
  t.end()
})

t.test('the responder answers a ping, and any party aborts it', (t) => {
  const ping = { id: 'p', initiator: 'i', responder: 'r' }
  t.same(exercise(templateOf('Ping'), ping, 'Respond', {}).controllers, ['r'])
  t.same(exercise(templateOf('Ping'), ping, 'AbortPing', { anyone: 'x' }), {
    controllers: ['x'],
    consuming: true,
    acts: [],
    result: {},
  })
  t.end()
})

t.test('a proposal gathers validators until the last one starts the explosion', (t) => {
  const accept = (payload: JsonValue, validator: string) =>
    exercise(templateOf('BongProposal'), payload, 'Accept', { validator })
  const first = accept(proposed, 'c')
  t.same(first.controllers, ['c'])
  t.same(first.result, { tag: 'Left', value: 'created-1' })
  t.same(first.acts, [['create', 'BongProposal', { ...proposed, candidates: ['d'], validators: ['c', 'v', 'w'] }]])
  const last = accept({ ...proposed, candidates: ['d'] }, 'd')
  t.same(last.result, { tag: 'Right', value: 'created-1' })
  t.same(last.acts, [['create', 'Explode', { ...exploded, validators: ['d', 'v', 'w'], maxLevel: '1' }]])
  t.match(
    failureOf(() => accept(proposed, 'x')),
    {
      errorId: 'UNHANDLED_EXCEPTION/DA.Exception.AssertionFailed:AssertionFailed',
      message: 'Assertion failed',
      category: 9,
    },
  )
  t.end()
})

t.test('an explosion branches until its level, then collapses back into a bong', (t) => {
  const process = (payload: JsonValue) => exercise(templateOf('Explode'), payload, 'ProcessExplode', { winner: 'r' })
  const upper = process(exploded)
  t.same(upper.acts, [
    ['create', 'Explode', { ...exploded, path: 'L' }],
    ['create', 'Explode', { ...exploded, path: 'R' }],
    ['create', 'Merge', merging],
  ])
  t.same(upper.result, { _1: 'created-3', _2: { tag: 'Left', value: { _1: 'created-1', _2: 'created-2' } } })
  const lower = process({ ...exploded, path: 'L' })
  t.same(
    lower.acts.map(([, entity]) => entity),
    ['Collapse', 'Collapse', 'Merge'],
  )
  t.match(lower.result, { _2: { tag: 'Right' } })

  const merge = (path: string, branch: JsonValue) => {
    const collapsing = contractOf(templateOf('Collapse'), branch)
    const argument = { winner: 'r', leftId: '1', rightId: '2' }
    return exercise(templateOf('Merge'), { ...merging, path }, 'ProcessMerge', argument, {
      1: collapsing,
      2: collapsing,
    })
  }
  const root = merge('', merging)
  t.same(root.acts, [
    ['exercise ProcessCollapse', '1', { winner: 'r' }],
    ['exercise ProcessCollapse', '2', { winner: 'r' }],
    ['create', 'Bong', { id: 'b', initiator: 'i', validators: ['v', 'w'], responder: 'r', observers: ['r'], timeout }],
  ])
  t.same(root.result, { tag: 'Left', value: 'created-1' })
  const deeper = merge('LR', { ...merging, path: 'LR' })
  t.same(deeper.acts.at(-1), ['create', 'Collapse', { ...merging, path: 'L' }])
  t.same(deeper.result, { tag: 'Right', value: 'created-1' })
  t.ok(
    failureOf(() => merge('L', merging)),
    'branches of another path',
  )
  t.ok(
    failureOf(() => merge('', { ...merging, id: 'other' })),
    'branches of another bong',
  )
  t.end()
})

t.test('the choices of AllTypes return and fail as defined', (t) => {
  const on = (name: string, argument: JsonValue) => exercise(templateOf('AllTypes'), everyType, name, argument)
  t.same(on('Echo', { value: { a: '1', b: 'x' } }).result, { a: '1', b: 'x' })
  t.equal(on('Now', {}).result, '2030-01-01T00:00:00Z')
  t.match(
    failureOf(() => on('Fail', { message: 'm' })),
    { errorId: 'conformance-model/FAIL', message: 'm', category: 9 },
  )
  t.match(
    failureOf(() => on('FailWithStatus', { errorId: 'E', message: 'm' })),
    { errorId: 'E', message: 'm', category: 8, metadata: { choice: 'FailWithStatus' } },
  )
  const replaced = on('Replace', { text: 'new' })
  t.equal(replaced.result, 'created-1')
  t.same(replaced.acts, [['create', 'AllTypes', { ...everyType, decimal: '1.5000000000', text: 'new' }]])
  t.end()
})

t.test('the choices of Joint, Guarded, Delegation, Keyed and Dependent act as defined', (t) => {
  const joint = { first: 'a', second: 'b', observers: [] }
  t.same(exercise(templateOf('Joint'), joint, 'Leave', { party: 'x' }).controllers, ['x'])
  t.same(exercise(templateOf('Joint'), joint, 'Touch', {}).controllers, ['a', 'b'])

  const spend = (amount: string) => exercise(templateOf('Guarded'), { owner: 'o', amount: '10' }, 'Spend', { amount })
  t.same(spend('4').acts, [['create', 'Guarded', { owner: 'o', amount: '6' }]])
  t.equal(spend('4').result, 'created-1')
  t.same([spend('10').acts, spend('10').result], [[], null])
  t.same(spend('11').acts, [['create', 'Guarded', { owner: 'o', amount: '-1' }]], 'ensure rejects it later')
  t.match(
    failureOf(() => spend('-9223372036854775808')),
    { errorId: 'UNHANDLED_EXCEPTION/DA.Exception.ArithmeticError:ArithmeticError', category: 9 },
  )

  const delegation = { principal: 'p', agent: 'a' }
  const note = { author: 'p', readers: ['a'], text: 't' }
  const created = exercise(templateOf('Delegation'), delegation, 'CreateFor', { text: 't' })
  t.same([created.controllers, created.acts], [['a'], [['create', 'Note', note]]])
  const stored = contractOf(templateOf('Note'), note)
  t.same(exercise(templateOf('Delegation'), delegation, 'FetchNote', { note: 'n' }, { n: stored }).result, note)

  const keyed = { owner: 'o', observers: ['p'], id: 'i', text: 't' }
  const { key } = termsOn('Keyed', keyed)
  t.same(key && encodeDaml(templateOf('Keyed').key ?? { type: 'unit' }, key.value), { owner: 'o', id: 'i' })
  t.same(key?.maintainers, ['o'])
  t.same(exercise(templateOf('Keyed'), keyed, 'Rekey', { id: 'j' }).acts, [['create', 'Keyed', { ...keyed, id: 'j' }]])
  t.equal(exercise(templateOf('Keyed'), keyed, 'Read', {}).result, 't')

  const price = { currency: 'CHF', amount: '1.0000000000' }
  t.same(exercise(templateOf('Dependent'), { owner: 'o', price }, 'GetPrice', {}).result, price)
  t.end()
})

t.test('the result of Upgradable names the version that ran', (t) => {
  const read = (version: string, text: string) =>
    exercise(templateOf('Upgradable', version), { owner: 'o', text }, 'Read', {}).result
  t.equal(read('1.0.0', 'hello'), '1.0.0: hello')
  t.equal(read('1.1.0', 'hello'), '1.1.0: hello')
  t.equal(read('1.2.0', '-5'), '1.2.0: -5')
  const annotated = exercise(templateOf('Upgradable', '1.1.0'), { owner: 'o', text: 't' }, 'Annotate', { note: 'n' })
  t.same(annotated.acts, [['create', 'Upgradable', { owner: 'o', text: 't', note: 'n' }]])
  t.end()
})
