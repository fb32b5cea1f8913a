// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of suites have this form
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { grammars } from '../../../interface/grammars.js'
import { operations, supportOperations } from '../../../interface/operations.js'
import { withCodes } from '../../../lib/colors.js'
import { outgoing } from '../../../lib/outgoing.js'
import { nearest, suggestion } from '../../../lib/suggest.js'
import { type Confidence, matcherNames } from '../../../record/types/resolved-row.js'
import { loadSuite } from '../../../runner/load/load-suite.js'
import { knownCapabilities } from '../../../runner/provision/capabilities.js'
import { FindingsError, formatFindings } from '../../../runner/yaml/findings.js'
import { expectationMistakes } from '../../suite-mistakes/expectations.js'
import type { Change } from '../../suite-mistakes/mistake.js'
import { nameMistakes } from '../../suite-mistakes/names.js'
import { profileMistakes } from '../../suite-mistakes/profiles.js'
import { sequenceMistakes } from '../../suite-mistakes/sequences.js'
import { shapeMistakes } from '../../suite-mistakes/shape.js'
import { variableMistakes } from '../../suite-mistakes/variables.js'
import { yamlMistakes } from '../../suite-mistakes/yaml.js'
import { readTarget } from '../../support/suites/plain-target.js'
import { findingsOf, folderWith, lines, writeSuite } from '../../support/suites/suite-folder.js'
import { tinySuite } from '../../support/suites/tiny-suite.js'

t.test('the digest changes with each file and file name, and only with them', async (t) => {
  const digest = async (...changes: Change[]): Promise<string> => {
    const folder = await mkdtemp(join(tmpdir(), 'suite-'))
    t.teardown(() => rm(folder, { recursive: true }))
    await writeSuite(folder, changes)
    return (await loadSuite(folder)).digest
  }
  const rules = tinySuite['rules/general.yaml']
  const usual = await digest()
  t.match(usual, /^[0-9a-f]{64}$/)
  t.equal(await digest(), usual, 'another folder, the same files')
  t.equal(await digest(['README.md', undefined, 'words']), usual, 'other files are not part of the suite')
  t.not(await digest(['suite.yaml', '1.2.3', '1.2.4']), usual)
  t.not(await digest(['rules/general.yaml', undefined, undefined], ['rules/other.yaml', undefined, rules]), usual)
})

t.test('a finding in a file outside the current directory names its whole path', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'suite-'))
  t.teardown(() => rm(folder, { recursive: true }))
  await writeSuite(folder, [['rules/general.yaml', 'strength: must', 'strength: perhaps']])
  const [finding] = await findingsOf(folder)
  t.equal(finding?.location.file, join(folder, 'rules/general.yaml'))
})

const mistakes = [
  ...yamlMistakes,
  ...shapeMistakes,
  ...nameMistakes,
  ...expectationMistakes,
  ...variableMistakes,
  ...profileMistakes,
  ...sequenceMistakes,
]

for (const [what, changes, expected] of mistakes) {
  t.test(`a suite is rejected for ${what}`, async (t) => {
    const folder = await folderWith(t, ...changes)
    t.strictSame(lines(folder, await findingsOf(folder)), expected)
  })
}

t.test('all mistakes of form are reported at once, then all those of names', async (t) => {
  const misnamed: Change[] = [
    ['cases/contract-by-id/look-up.yaml', 'as: guest', 'as: gest'],
    ['probes.yaml', 'rules: [GEN-NO-EFFECT]', 'rules: [GEN-UNKNOWN]'],
  ]
  const names = await folderWith(t, ...misnamed)
  t.strictSame(lines(names, await findingsOf(names)), [
    'cases/contract-by-id/look-up.yaml:33:13: unknown actor "gest" | did you mean "guest"? allowed: operator, guest',
    'probes.yaml:4:13: unknown rule "GEN-UNKNOWN" | allowed: GEN-POST, GEN-NO-EFFECT, GEN-CLIENT, GEN-INSIDE',
  ])
  const folder = await folderWith(
    t,
    ...misnamed,
    // The names of the broken file, such as alice and ping, are not reported as unknown.
    ['fixtures.yaml', 'fixtures:', 'fixtures: ['],
    ['situations.yaml', 'empty-act-as:', 'empty-act-as: {}\n  other-situation:'],
    ['rules/general.yaml', 'strength: client', 'strength: strong'],
    ['cases/contract-by-id/look-up.yaml', 'title: A single request', 'titel: A single request'],
  )
  t.strictSame(lines(folder, await findingsOf(folder)), [
    'cases/contract-by-id/look-up.yaml:3:5: missing key "title"',
    'cases/contract-by-id/look-up.yaml:4:5: unknown key "titel" | did you mean "title"? allowed: id, title, rules, impact, hazard, besides, needs, let, afterwards, serial, uncontrolled, request, as, token, edit, remove, send, capture, outcome, expect, steps, restore, rows',
    'fixtures.yaml:3:3: invalid YAML: Missing , between flow sequence items',
    'rules/general.yaml:8:63: unknown strength "strong" | allowed: must, should, may, client',
    'situations.yaml:2:17: "empty-act-as" must be a string, not a map',
  ])
})

t.test('a case can use captures of the first steps of its probe', async (t) => {
  const used = "    outcome: accepted\n    edit: { /at: '${begin}' }\n  - id"
  const folder = await folderWith(t, ['cases/contract-by-id/look-up.yaml', '    outcome: accepted\n  - id', used])
  t.strictSame(await findingsOf(folder), [])
})

t.test('a missing folder is a finding', async (t) => {
  const [finding, ...others] = await findingsOf(join(t.testdir({}), 'nowhere'))
  t.strictSame(others, [])
  t.match(finding?.message, /^the suite folder cannot be read: ENOENT/)
  t.equal(finding?.hint, 'name the folder that contains suite.yaml')
})

t.test('findings are printed like those of a compiler', async (t) => {
  const folder = await folderWith(
    t,
    ['suite.yaml', '1.2.3', 'one'],
    ['cases/contract-by-id/look-up.yaml', 'as: guest', 'az: guest'],
  )
  const findings = await findingsOf(folder)
  const shown = folder.slice(process.cwd().length + 1)
  const text = `${shown}/cases/contract-by-id/look-up.yaml:33:9: error: unknown key "az"
  33 |         az: guest
     |         ^
  hint: did you mean "as"? allowed: id, for-each, title, rules, impact, uncontrolled, needs, let, as, token, edit, remove, send, outcome, expect

${shown}/suite.yaml:1:10: error: "version" cannot be "one"
  1 | version: one
    |          ^
  hint: a version has three numbers, such as 0.1.0`
  t.equal(formatFindings(findings, { color: false }), text)
  t.equal(new FindingsError('suite', findings).message, `the suite cannot be loaded\n${text}`)
  t.match(withCodes(outgoing(formatFindings(findings, { color: true }))), '\u001b[31merror:')
  t.equal(formatFindings([], { color: false }), '')
})

t.test('long lines are cut, and control characters are replaced', (t) => {
  const show = (sourceLine: string, column: number): string[] =>
    formatFindings([{ location: { file: 'a.yaml', line: 7, column }, message: 'm', sourceLine }], {
      color: false,
    }).split('\n')
  t.strictSame(show('\ta: \u001b[2J\u202ex', 5), ['a.yaml:7:5: error: m', '  7 |  a:  [2J x', '    |     ^'])
  const [, line = '', caret = ''] = show(`${'x'.repeat(500)}!${'y'.repeat(500)}`, 501)
  t.equal(line[caret.indexOf('^')], '!')
  t.ok(line.length < 160)
  t.match(line, /^ {2}7 \| \.\.\. x+!y+ \.\.\.$/)
  const [, end = '', last = ''] = show(`${'x'.repeat(500)}!`, 501)
  t.equal(end[last.indexOf('^')], '!')
  t.end()
})

t.test('an unknown name gets a hint unless no name is allowed', async (t) => {
  const rules = Array.from({ length: 30 }, (_, index) => `${index < 27 ? 'SAW' : 'CBI'}-RULE-${index}`)
  t.equal(suggestion('SAW-RULE-1X', rules), 'did you mean "SAW-RULE-1"?')
  t.equal(suggestion('CBI-NOPE', rules), 'allowed, and beginning alike: CBI-RULE-27, CBI-RULE-28, CBI-RULE-29')
  t.match(suggestion('SAW-NOPE', rules), /: SAW-RULE-0, .*, SAW-RULE-23 and 3 more$/)
  t.equal(suggestion('NOPE', rules), 'none of the 30 that are allowed begins with NOPE')
  t.equal(suggestion('NOPE', ['one', 'two']), 'allowed: one, two')
  t.equal(suggestion('NOPE', []), undefined)
})

t.test('the nearest name is found within a third of the letters', (t) => {
  const names = ['outcome', 'accepted', 'expect', 'as']
  const guesses: [string, string | undefined][] = [
    ['outcom', 'outcome'],
    ['uotcome', 'outcome'],
    ['outcomee', 'outcome'],
    ['Expect', 'expect'],
    ['expext', 'expect'],
    ['az', 'as'],
    ['rejected', undefined],
    ['zz', undefined],
    ['', undefined],
  ]
  for (const [name, expected] of guesses) t.equal(nearest(name, names), expected, name)
  t.end()
})

async function schemas(): Promise<Map<string, unknown>> {
  const folder = new URL('../../../../suites/schema/', import.meta.url)
  const names = await readdir(folder)
  return new Map(
    await Promise.all(
      names.map(
        async (name): Promise<[string, unknown]> => [name, JSON.parse(await readFile(new URL(name, folder), 'utf8'))],
      ),
    ),
  )
}

function objectsIn(value: unknown): Record<string, unknown>[] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.values(value).flatMap(objectsIn)
  return Array.isArray(value) ? inner : [{ ...value }, ...inner]
}

t.test('lists in the schemas equal those of the code', async (t) => {
  const all = await schemas()
  const allowed = (file: string, title: string): unknown =>
    objectsIn(all.get(file)).find((one) => one['title'] === title && one['enum'])?.['enum']
  const [judged, called] = objectsIn(all.get('operations.schema.json')).filter((one) => one['enum'])
  t.strictSame(judged?.['enum'], Object.keys(operations))
  const support = Object.values(supportOperations).filter(({ path }) => !path.includes('{'))
  t.strictSame(called?.['enum'], [...Object.keys(operations), ...support.map(({ name }) => name)])
  const discovery = { version: undefined, participantId: '', synchronizerIds: [], externalParties: true as const }
  const target = readTarget('http://127.0.0.1:7575', 'none')
  const known = knownCapabilities(target, discovery, { capability: true, missing: [], wronglyVetted: [] }, new Set())
  t.strictSame([...Object(allowed('cases.schema.json', 'capability'))].sort(), Object.keys(known).sort())
  t.strictSame(allowed('profile.schema.json', 'confidence'), ['text', 'observed', 'read'] satisfies Confidence[])
  t.strictSame(allowed('matcher.schema.json', 'grammar'), Object.keys(grammars))
  const matchers = objectsIn(all.get('matcher.schema.json')).find((one) => one['additionalProperties'] === false)
  t.strictSame(
    Object.keys(Object(matchers?.['properties'])).sort(),
    [...matcherNames, 'format', 'of', 'optional', 'rules'].sort(),
  )
})

t.test('the schemas reject unknown keys and describe known ones', async (t) => {
  for (const [file, schema] of await schemas()) {
    const maps = objectsIn(schema).filter((one) => 'properties' in one && typeof one['properties'] === 'object')
    const open = maps.filter((one) => one['additionalProperties'] !== false)
    t.strictSame(open, [], file)
    const bare = maps.flatMap((one) => Object.entries(Object(one['properties']))).filter(([, one]) => !explained(one))
    t.strictSame(
      bare.map(([name]) => name),
      [],
      file,
    )
  }
})

const explained = (schema: unknown): boolean => 'description' in Object(schema) || '$ref' in Object(schema)
