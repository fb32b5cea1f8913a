/** The packages of the conformance model. */
import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import t from 'tap'
import { conformanceModel } from '../../../cli/tool/conformance-model.js'
import type { Package } from '../../../daml/language/package.js'
import type { JsonValue } from '../../../lib/json/json.js'
import { builtInPackages } from '../../../simulator/ledger/packages/package-store.js'
import { failureOf } from '../../daml/lf-program.js'
import { packageOf, packages, packagesIn, templateOf } from '../../support/ledgers/model-packages.js'
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

const timeout = '2030-01-01T00:00:00Z'
const bongParties = { initiator: 'i', validators: ['v', 'w'], responders: ['r'] }
const proposed = { id: 'b', ...bongParties, candidates: ['c', 'd'], maxLevel: '1', timeout }
const exploded = { id: 'b', ...bongParties, path: '', maxLevel: '2', timeout }
const merging = { id: 'b', ...bongParties, path: '', timeout }

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
