// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of suites have this form
import t from 'tap'
import { loadSuite } from '../../../runner/load/load-suite.js'
import type { Profile, Row, Suite } from '../../../runner/suite/suite.js'
import type { Change } from '../../suite-mistakes/mistake.js'
import { findingsOf, folderWith, lines } from '../../support/suites/suite-folder.js'

const steps = 'cases/execute/steps.yaml'

const rowsOf = (suite: Suite, id: string): Row[] => suite.cases.find((one) => one.id === id)?.rows ?? []

function profileOf(suite: Suite, name: string): Profile {
  const profile = suite.profiles.get(name)
  if (!profile) throw new Error(`missing profile ${name}`)
  return profile
}

const prepared = `sequences:
  prepared:
    meaning: Two exchanges.
    steps:
      - request: create
        edit: { /a: 1, /b: { c: 2 } }
        remove: [/x]
        outcome: accepted
        capture: { one: /one }
        expect: { body: { /one: present } }
      - { name: read, request: party, outcome: accepted, capture: { prepared: /transaction } }
`

const using = (item: string): Change[] => [
  ['sequences.yaml', undefined, prepared],
  [steps, '{ sequence: looked-up, with: { party: { name: prepare } } }', item],
]

t.test('a sequence is replaced by its steps, located at its use', async (t) => {
  const folder = await folderWith(t, ...using('{ sequence: prepared }'))
  const [row] = rowsOf(await loadSuite(folder), 'EXE-STEPS')
  t.match(
    row?.steps.map(({ name, location }) => [name, location]),
    [
      ['create', { file: `${steps}`, line: 7 }],
      ['read', { file: `${steps}`, line: 7 }],
      ['execute', { line: 8 }],
      ['execute 2', { line: 9 }],
    ],
  )
  const [create] = row?.steps ?? []
  t.strictSame(create?.edit, { '/a': 1, '/b': { c: 2 } })
})

t.test('differences in a step of a sequence are merged into the step or replace its members', async (t) => {
  const difference =
    'create: { name: other, as: guest, edit: { /b: 3, /d: 4 }, remove: [/y], capture: { two: /two }, expect: { body: { /two: absent } } }'
  const item = `{ sequence: prepared, with: { ${difference} } }`
  const [row] = rowsOf(await loadSuite(await folderWith(t, ...using(item))), 'EXE-STEPS')
  const [other, read] = row?.steps ?? []
  t.match(other, {
    name: 'other',
    request: 'create',
    as: 'guest',
    remove: ['/x', '/y'],
    outcome: { what: 'accepted' },
  })
  t.strictSame(other?.edit, { '/a': 1, '/b': 3, '/d': 4 })
  t.strictSame(other?.capture, { one: '/one', two: '/two' })
  t.strictSame(
    [...(other?.expect.body ?? [])].map(([pointer, { what }]) => [pointer, what]),
    [
      ['/one', { present: true }],
      ['/two', { present: false }],
    ],
  )
  t.equal(read?.as, undefined, 'the other step is unchanged')
})

t.test('fixtures, probes and restoring steps can use sequences', async (t) => {
  const folder = await folderWith(
    t,
    ['fixtures.yaml', '{ request: create, outcome', '{ sequence: looked-up }\n      - { request: create, outcome'],
    ['probes.yaml', '    after:\n', '    after:\n      - { sequence: looked-up }\n'],
    [steps, '    rules: [GEN-POST]\n', '    rules: [GEN-POST]\n    restore: [{ sequence: looked-up }]\n'],
  )
  const suite = await loadSuite(folder)
  const named = (of: { name: string }[] | undefined): string[] | undefined => of?.map(({ name }) => name)
  t.strictSame(named(suite.fixtures.get('ping')?.steps), ['party', 'create', 'look-up'])
  t.strictSame(named(suite.probes.get('no-transaction')?.after), ['party', 'look-up 2'])
  t.strictSame(named(suite.cases.find(({ id }) => id === 'EXE-STEPS')?.restore), ['party'])
})

t.test('a probe inherits omitted members from the probe that it extends', async (t) => {
  const folder = await folderWith(t, [
    'probes.yaml',
    'probes:',
    "probes:\n  grown: { extends: more, rules: [GEN-POST] }\n  more:\n    extends: no-transaction\n    after-acceptance: [{ request: look-up, outcome: accepted, edit: { /a: '${begin}' } }]",
  ])
  const { probes } = await loadSuite(folder)
  const [grown, base] = [probes.get('grown'), probes.get('no-transaction')]
  t.strictSame([grown?.rules, base?.rules], [['GEN-POST'], ['GEN-NO-EFFECT']])
  t.strictSame(grown?.before, base?.before)
  t.strictSame(grown?.after, base?.after)
  t.match(grown?.afterAcceptance, [{ name: 'look-up 3', outcome: { what: 'accepted' } }])
  t.strictSame(base?.afterAcceptance, [])
})

t.test('a rejection inherits the properties of its code, except those that it sets', async (t) => {
  const folder = await folderWith(
    t,
    [
      'situations.yaml',
      'situations:',
      'situations:\n  late: It is late.\n  any: Any rejection.\n  either: Both outcomes.',
    ],
    [
      'profiles/seen.yaml',
      'situations:',
      'situations:\n  late: { refused: { code: MISSING_FIELD, status: 409, category: 2 } }\n  any: { refused: true }\n  either: { accepted: true, refused: { status: 403 } }',
    ],
    [
      'profiles/other.yaml',
      undefined,
      'profile: other\ntitle: Another\nextends: seen\nconfidence: read\nsource: a file\ncodes: { MISSING_FIELD: { status: 422, grpc: 9 } }\n',
    ],
  )
  const suite = await loadSuite(folder)
  const alternativesOf = (profile: string, situation: string): unknown =>
    profileOf(suite, profile).situations.get(situation)?.alternatives
  const common = { name: 'refused', outcome: 'refused', mediaType: 'application/json', code: 'MISSING_FIELD' }
  t.strictSame(alternativesOf('seen', 'late'), [{ ...common, status: ['409'], category: 2, grpc: 3 }])
  t.strictSame(
    alternativesOf('other', 'late'),
    [{ ...common, status: ['409'], category: 2, grpc: 9 }],
    'its own table of codes',
  )
  t.strictSame(alternativesOf('seen', 'any'), [{ name: 'refused', outcome: 'refused' }])
  t.strictSame(alternativesOf('seen', 'either'), [
    { name: 'accepted', outcome: 'accepted' },
    { name: 'refused', outcome: 'refused', status: ['403'] },
  ])
})

t.test('expectations and outcomes can name rules; rows without rules judge those of their case', async (t) => {
  const lookup = 'cases/contract-by-id/look-up.yaml'
  const folder = await folderWith(
    t,
    [lookup, 'outcome: unknown-contract', 'outcome: { situation: unknown-contract, rules: [GEN-NO-EFFECT] }'],
    [
      lookup,
      "{ Content-Type: { pattern: 'text/.+' } }",
      "{ Content-Type: { pattern: 'text/.+', rules: [GEN-NO-EFFECT] } }",
    ],
  )
  const suite = await loadSuite(folder)
  const [asItIs, different] = rowsOf(suite, 'CBI-ROWS')
  const [step] = asItIs?.steps ?? []
  t.match(step?.outcome, { what: 'unknown-contract', rules: ['GEN-NO-EFFECT'] })
  t.match(step?.expect.headers?.get('content-type'), { what: { pattern: 'text/.+' }, rules: ['GEN-NO-EFFECT'] })
  t.equal(step?.expect.body?.get('/code')?.rules, undefined)
  t.strictSame([asItIs?.rules, asItIs?.ownRules], [['GEN-POST'], undefined])
  t.match(different, { rules: ['GEN-NO-EFFECT'], ownRules: { line: 30 } })
  t.match(different?.steps[0]?.outcome, { what: 'accepted', rules: undefined }, 'the outcome of the row')
  t.match(different?.steps[0]?.expect.body?.get('/list')?.rules, ['GEN-POST'])
})

t.test(
  'formats and facts of each version are inherited, with the confidence read in profiles from source code',
  async (t) => {
    const folder = await folderWith(
      t,
      [
        'profiles/interface.yaml',
        'refused: { status: 4xx }',
        'refused: { status: 4xx }\nformats: { id: { type: string }, time: timestamp }',
      ],
      ['situations.yaml', 'situations:', 'situations:\n  late: It is late.'],
      ['profiles/interface.yaml', 'situations:', 'situations:\n  late: { accepted: true, source: the text }'],
      ['profiles/seen.yaml', 'title: As observed', 'title: As observed\nformats: { id: { grammar: updateId } }'],
      [
        'profiles/seen.yaml',
        '  unknown-contract: { accepted: true, divergence: LATE }',
        "  unknown-contract:\n    by-protocol-version:\n      '35': { accepted: true, divergence: LATE }\n      '34': { refused: { status: 404, retry: null } }",
      ],
      [
        'profiles/older.yaml',
        undefined,
        'profile: older\ntitle: Older\nextends: seen\nconfidence: read\nsituations:\n  empty-act-as: { refused: { status: 400 }, source: a file }\n',
      ],
    )
    const suite = await loadSuite(folder)
    const [seen, older] = [profileOf(suite, 'seen'), profileOf(suite, 'older')]
    const text = { type: 'string' }
    t.strictSame(seen.formats.get('id'), { matcher: { grammar: 'updateId' }, text, confidence: 'observed' })
    const timestamp = { timestamp: true }
    t.strictSame(seen.formats.get('time'), { matcher: timestamp, text: timestamp, confidence: 'text' })
    t.strictSame(older.formats.get('id'), { matcher: { grammar: 'updateId' }, text, confidence: 'read' })
    t.equal(older.formats.get('time')?.confidence, 'text', 'a format from the text keeps its confidence')
    const accepted = { alternatives: [{ outcome: 'accepted' }], divergence: 'LATE' }
    t.match(seen.situations.get('unknown-contract'), { ...accepted, confidence: 'observed', source: 'a participant' })
    t.match(seen.versions.get('unknown-contract')?.get(34), { alternatives: [{ status: ['404'], retry: null }] })
    t.match(older.situations.get('unknown-contract'), {
      ...accepted,
      confidence: 'read',
      source: 'as seen (a participant)',
    })
    t.match(older.versions.get('unknown-contract')?.get(34), { confidence: 'read' })
    t.match(older.situations.get('empty-act-as'), { confidence: 'read', source: 'a file' })
    t.match(older.situations.get('late'), { confidence: 'text', source: 'the text' })
    t.match([older.accepted.confidence, older.refused.confidence], ['read', 'text'])
  },
)

t.test('unknown formats and divergences are findings', async (t) => {
  const folder = await folderWith(
    t,
    ['cases/contract-by-id/look-up.yaml', '/code: present', '/code: { each: { format: ident } }'],
    ['profiles/interface.yaml', 'refused: { status: 4xx }', 'refused: { status: 4xx }\nformats: { identity: present }'],
    [
      'profiles/seen.yaml',
      '  unknown-contract: { accepted: true, divergence: LATE }',
      "  unknown-contract: { by-protocol-version: { '35': { accepted: true, divergence: LATER } } }",
    ],
  )
  t.strictSame(lines(folder, await findingsOf(folder)), [
    'cases/contract-by-id/look-up.yaml:25:40: unknown format "ident" | allowed: identity',
    'profiles/seen.yaml:15:82: unknown divergence "LATER" | did you mean "LATE"? allowed: LATE',
  ])
})
