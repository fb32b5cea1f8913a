// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of suites have this form
import t from 'tap'
import { coverageOf } from '../../../runner/lint/coverage.js'
import { lintSuite } from '../../../runner/lint/lint.js'
import { loadSuite } from '../../../runner/load/load-suite.js'
import type { Fixture } from '../../../runner/suite/suite.js'
import type { Change, Mistake } from '../../suite-mistakes/mistake.js'
import { folderWith, lines } from '../../support/suites/suite-folder.js'
import { resolvedSuite, suiteOf, wholeSuite } from '../../support/suites/whole-suite.js'

const rules = 'rules/general.yaml'
const lookup = 'cases/contract-by-id/look-up.yaml'
const steps = 'cases/execute/steps.yaml'

/** Adds rules before those of the tiny suite, one on each line. */
const newRules = (...texts: string[]): Change => [
  rules,
  'rules:',
  ['rules:', ...texts.map((text) => `  - { ${text}, section: Errors, passages: [item 1] }`)].join('\n'),
]

/** Mistakes in valid suites. Each is added to the tiny suite, which has none. */
const mistakes: readonly Mistake[] = [
  [
    'an expectation without rule that can fail under the text',
    [
      [rules, 'rules:', 'rules:\n  - { id: GEN-FACT, statement: So., strength: must, section: Errors, fact-of: seen }'],
      [lookup, '/message: absent, /list', '/message: { present: false, rules: [GEN-FACT] }, /list'],
    ],
    [
      `${lookup}:25:7: under the profile "interface", a row can fail here without breaking a rule | name a rule of the text, or leave the value open in that profile`,
    ],
  ],
  [
    'a rule without a case',
    [newRules('id: GEN-NEW, statement: New., strength: may')],
    ['rules/general.yaml:2:5: no case judges the rule "GEN-NEW" | write a case, or give the reason in "untestable"'],
  ],
  [
    'a rule without a case in one of its operations',
    [
      [
        rules,
        'strength: must, section: Endpoints,',
        'strength: must, operations: [execute, submit-and-wait],\n      section: Endpoints,',
      ],
    ],
    [
      'rules/general.yaml:2:5: no case judges the rule "GEN-POST" in submit-and-wait | write a case, or give the reason in "untestable"',
    ],
  ],
  [
    'rules of a file without a case in its operation',
    [[rules, 'rules:', 'operations: [contract-by-id, update-package-vetting]\nrules:']],
    [
      'rules/general.yaml:3:5: no case judges the rule "GEN-POST" in update-package-vetting | write a case, or give the reason in "untestable"',
      'rules/general.yaml:4:5: no case judges the rule "GEN-NO-EFFECT" in update-package-vetting | write a case, or give the reason in "untestable"',
    ],
  ],
  [
    'a rule that only the probe of accepted rows would judge',
    [[lookup, '        rules: [GEN-NO-EFFECT]\n', '']],
    [
      'rules/general.yaml:3:5: no case judges the rule "GEN-NO-EFFECT" | write a case, or give the reason in "untestable"',
    ],
  ],
  [
    'cases of a client rule and of an untestable rule',
    [
      [lookup, 'rules: [GEN-POST]\n    afterwards', 'rules: [GEN-POST, GEN-CLIENT]\n    afterwards'],
      [steps, 'rules: [GEN-POST]', 'rules: [GEN-POST, GEN-INSIDE]'],
    ],
    [
      'rules/general.yaml:8:5: the rule "GEN-CLIENT" binds only clients, but the case "CBI-ONE" judges it | correct the rule or the case',
      'rules/general.yaml:9:5: the rule "GEN-INSIDE" is marked untestable, but the case "EXE-STEPS" judges it | correct the rule or the case',
    ],
  ],
  [
    'a row without rules',
    [[lookup, '    rules: [GEN-POST]\n    afterwards', '    afterwards']],
    ['cases/contract-by-id/look-up.yaml:3:5: this row judges no rule | name at least one in "rules"'],
  ],
  [
    'an unused situation',
    [['situations.yaml', 'situations:', 'situations:\n  expired: It is too late.']],
    ['situations.yaml:2:3: no case uses the situation "expired" | write a case, or remove it'],
  ],
  [
    'unused entries',
    [
      [
        'fixtures.yaml',
        'fixtures:',
        'fixtures:\n  dave: { party: { hint: dave } }\n  carol: { party: { hint: carol } }',
      ],
      ['requests/writing.yaml', 'requests:', 'requests:\n  idle: { operation: execute, as: idler }'],
      ['actors.yaml', 'actors:', 'actors:\n  idler: { rights: [CanActAs dave] }'],
      ['actors.yaml', 'rights: [ParticipantAdmin', 'rights: [CanReadAs carol, ParticipantAdmin'],
      ['actors.yaml', 'tokens:', 'tokens:\n  odd: { meaning: odd, none: true }'],
      [
        'probes.yaml',
        'probes:',
        'probes:\n  idle: { statement: It is., rules: [GEN-POST], after: [{ request: party, outcome: accepted }] }',
      ],
    ],
    [
      'actors.yaml:2:3: no case uses the actor "idler" | remove it',
      'actors.yaml:6:3: no case uses the token "odd" | remove it',
      'fixtures.yaml:2:3: no case uses the fixture "dave" | remove it',
      'probes.yaml:2:3: no case uses the probe "idle" | remove it',
      'requests/writing.yaml:2:3: no case uses the request "idle" | remove it',
    ],
  ],
  [
    'unknown passages, and passages without rule',
    [
      [rules, 'passages: [item 1, Endpoints > paragraph 1]', 'passages: [item 4, Endpoint > paragraph 1]'],
      ['outline.yaml', '{ item 3: states nothing }', '{ item 2: no reason, item 5: says nothing }'],
    ],
    [
      'outline.yaml:5:16: no rule and no unspecified behaviour names "item 1" of "Errors" | add one, or give the reason in "without-rule"',
      'outline.yaml:5:32: no rule and no unspecified behaviour names "item 3" of "Errors" | add one, or give the reason in "without-rule"',
      'outline.yaml:6:21: a rule names "item 2" of "Errors" | remove the passage from "without-rule"',
      'outline.yaml:6:40: the section "Errors" has no passage "item 5" | did you mean "item 1"? allowed: item 1, item 2, item 3',
      'rules/general.yaml:7:16: the section "Errors" has no passage "item 4" | did you mean "item 1"? allowed: item 1, item 2, item 3',
      'rules/general.yaml:7:24: the outline has no section "Endpoint" | did you mean "Endpoints"? allowed: Endpoints, Errors',
    ],
  ],
  [
    'statuses in profiles that contradict the outcome',
    [
      ['profiles/interface.yaml', 'accepted: { status: 2xx }', 'accepted: { status: [2xx, 301] }'],
      ['profiles/interface.yaml', 'refused: { status: 4xx }', 'refused: { status: [4xx, 5xx] }'],
      ['profiles/seen.yaml', '{ name: two, status: 403 }', '{ name: two, status: [403, 500, 200] }'],
      [
        'profiles/seen.yaml',
        'unknown-contract: { accepted: true,',
        'unknown-contract: { refused: { status: [404, 5xx] },',
      ],
    ],
    [
      'profiles/interface.yaml:1:10: an accepted request has a status of the class 2xx, not 301 | record a server error or an unexpected success as a divergence',
      'profiles/interface.yaml:1:10: a rejected request has a status of the class 4xx, not 5xx | record a server error or an unexpected success as a divergence',
      'profiles/interface.yaml:7:3: the client error "empty-act-as" has a status of the class 4xx, not 5xx | record a server error or an unexpected success as a divergence',
      `profiles/seen.yaml:1:10: a rejected request has a status of the class 4xx, not 5xx | record a server error or an unexpected success as a divergence`,
      `profiles/seen.yaml:11:3: the client error "empty-act-as" has a status of the class 4xx, not 500 or 200 | record a server error or an unexpected success as a divergence`,
      'profiles/seen.yaml:15:3: the divergence "LATE" has statuses of several classes: 404, 5xx | a divergence is one observed behaviour; list alternatives under "refused"',
    ],
  ],
  [
    'unused rules of a case and of a row',
    [
      [lookup, '    outcome: accepted\n  - id', '    outcome: { situation: accepted, rules: [GEN-NO-EFFECT] }\n  - id'],
      [steps, '{ id: accepted, outcome: accepted, edit', '{ id: accepted, rules: [GEN-POST], outcome: accepted, edit'],
      [steps, '{ id: refused, outcome', '{ id: refused, rules: [GEN-POST], outcome'],
    ],
    [
      'cases/contract-by-id/look-up.yaml:6:5: no expectation of any row uses these rules | remove them: each expectation names its own',
      'cases/execute/steps.yaml:5:5: no expectation of any row uses these rules | remove them: each expectation names its own',
    ],
  ],
  [
    'rules of a row whose expectations all name their own',
    [
      [lookup, '        outcome: accepted\n', '        outcome: { situation: accepted, rules: [GEN-NO-EFFECT] }\n'],
      [lookup, "pattern: 'text/.+' }", "pattern: 'text/.+', rules: [GEN-POST] }"],
      [lookup, '/code: present, /message: absent, ', ''],
      [
        lookup,
        "/code: 'null', /message: null, /more: { type: integer, greater-than: 0 }",
        '/more: { type: integer, rules: [GEN-POST] }',
      ],
    ],
    [
      'cases/contract-by-id/look-up.yaml:30:9: no expectation of this row uses these rules | remove them: each expectation names its own',
    ],
  ],
  [
    'a long line',
    [['situations.yaml', 'The contract is unknown.', `The contract is unknown. ${'x'.repeat(100)}`]],
    [
      'situations.yaml:3:141: warning: the line has 145 characters; the limit is 140 | write one member on each line, and a long string as ">-" or quoted with "\\" at the ends of lines',
    ],
  ],
  [
    'a misspelt member of a base request',
    [['requests/reading.yaml', 'body: { contractId', 'body: { ContractId']],
    [
      'requests/reading.yaml:5:13: the request body of contract-by-id has no member "ContractId" | did you mean "contractId"?',
    ],
  ],
  [
    'misspelt members in the edits of a row, a step and a fixture',
    [
      [lookup, 'edit: { /a: one, /x: back }', 'edit: { /contractIdd: one, /x: back }'],
      [
        steps,
        '{ request: execute, outcome: empty-act-as }',
        '{ request: execute, outcome: empty-act-as,\n          edit: { /partySignatures: { signaturs: [] } } }',
      ],
      ['fixtures.yaml', "edit: { /updateId: '${update}' }", "edit: { /queryingPartyes: ['${update}'] }"],
    ],
    [
      'cases/contract-by-id/look-up.yaml:28:9: warning: the request body of contract-by-id has no member "contractIdd" | did you mean "contractId"?',
      'cases/execute/steps.yaml:8:9: warning: the request body of execute has no member "signaturs" | did you mean "signatures"?',
      'fixtures.yaml:6:9: warning: the request body of contract-by-id has no member "queryingPartyes" | did you mean "queryingParties"?',
    ],
  ],
  [
    'a row without outcome',
    [[lookup, '    outcome: accepted\n  - id', '    expect: { body: { /x: present } }\n  - id']],
    [
      'cases/contract-by-id/look-up.yaml:3:5: warning: the row has no outcome | add "outcome" with "accepted" or the situation of the request',
    ],
  ],
  [
    'a request that cannot be built',
    [[steps, "edit: { /prepared: '${prepared}' }", 'edit: { /nothing/in-it: 1 }']],
    [
      'cases/execute/steps.yaml:9:9: the request of the step "execute 2" cannot be built: cannot edit /nothing/in-it: the member nothing does not exist | an edit needs an existing parent in the base request',
    ],
  ],
  [
    'expectations that cannot fail',
    [
      // The probe surrounds rows that may be rejected.
      [lookup, '    outcome: accepted\n  - id', '    outcome: unknown-contract\n  - id'],
      [steps, "/other: { equals: '${end}' }", "/offset: { equals: '${end}' }, /more: { includes: {} }"],
      [
        'fixtures.yaml',
        'capture: { update: /updateId, ping.id: /id }',
        "capture: { update: /updateId, ping.id: /id },\n          expect: { body: { /id: { one-of: [x, '${ping.id}'] } } }",
      ],
      [
        'probes.yaml',
        'capture: { begin: /offset }',
        "capture: { begin: /offset }, expect: { body: { /offset: { at-least: '${begin}' } } }",
      ],
    ],
    [
      'cases/execute/steps.yaml:9:9: the expectation of "/offset" cannot fail: ${end} is captured from the same place | expect a value that can differ',
      'cases/execute/steps.yaml:9:9: the expectation of "/more" cannot fail: every object includes the empty object | expect a value that can differ',
      'fixtures.yaml:6:11: the expectation of "/id" cannot fail: ${ping.id} is captured from the same place | expect a value that can differ',
      'probes.yaml:6:9: the expectation of "/offset" cannot fail: ${begin} is captured from the same place | expect a value that can differ',
    ],
  ],
]

t.test('lint accepts unknown members that rows send on purpose', async (t) => {
  const edit = '{ /ContractId: one, /contract_id: one, /somethingElse: 1, /x: back }'
  const folder = await folderWith(t, [lookup, 'edit: { /a: one, /x: back }', `edit: ${edit}`])
  t.strictSame(lines(folder, lintSuite(await loadSuite(folder))), [])
})

t.test('lint finds nothing in the tiny suite', async (t) => {
  t.strictSame(lintSuite(await loadSuite(await folderWith(t))), [])
})

for (const [what, changes, expected] of mistakes) {
  t.test(`lint reports ${what}`, async (t) => {
    const folder = await folderWith(t, ...changes)
    t.strictSame(lines(folder, lintSuite(await loadSuite(folder))), expected)
  })
}

t.test('lint accepts implicit rules, and rows without outcome with a warning', async (t) => {
  const folder = await folderWith(
    t,
    // The first rule judges every response; a row judges GEN-FREE.
    newRules(
      'id: GEN-RESPONSE-SHAPE, statement: Fits., strength: must, operations: [submit-and-wait]',
      'id: GEN-FREE, statement: Free., strength: may',
    ),
    [steps, 'rules: [GEN-POST]', 'rules: [GEN-FREE]'],
    [
      steps,
      '    rows:\n      - { id: refused, outcome: empty-act-as }\n      - { id: accepted, outcome: accepted, edit',
      '    rows:\n      - { id: free, edit',
    ],
  )
  t.strictSame(lines(folder, lintSuite(await loadSuite(folder))), [
    'cases/execute/steps.yaml:11:9: warning: the row has no outcome | add "outcome" with "accepted" or the situation of the request',
  ])
})

t.test('coverage counts the rows of a rule by operation and shows gaps', async (t) => {
  const folder = await folderWith(t, [
    rules,
    'strength: must, section: Endpoints,',
    'strength: must, section: Endpoints, operations: [execute, contract-by-id, submit-and-wait],',
  ])
  const suite = await loadSuite(folder)
  const [post, noEffect] = coverageOf(suite)
  t.strictSame(post?.operations, [
    { operation: 'execute', cases: ['EXE-STEPS'], rows: 2 },
    { operation: 'contract-by-id', cases: ['CBI-ONE', 'CBI-ROWS'], rows: 3 },
    { operation: 'submit-and-wait', cases: [], rows: 0 },
  ])
  t.strictSame(noEffect?.operations, [{ operation: undefined, cases: ['CBI-ROWS'], rows: 1 }])
})

t.test('a row that changes vetting must run alone and restore the vetting', async (t) => {
  const folder = await folderWith(
    t,
    ['cases/contract-by-id/look-up.yaml', 'impact: write', 'impact: topology'],
    ['cases/contract-by-id/look-up.yaml', 'serial: true', 'serial: false'],
  )
  const found = lines(folder, lintSuite(await loadSuite(folder))).filter((line) => line.includes('topology'))
  t.strictSame(found, [
    'cases/contract-by-id/look-up.yaml:27:9: a row with the impact topology must run alone | add "serial: true" to its case',
    'cases/contract-by-id/look-up.yaml:27:9: a row with the impact topology must restore its changes | add "restore" to its case',
  ])
})

t.test('a request that may consume a contract of other rows is reported', (t) => {
  const { keeps: _, ...unkept } = wholeSuite.fixtures.get('values') ?? { ...[...wholeSuite.fixtures.values()][0] }
  const fixtures = new Map(wholeSuite.fixtures).set('values', unkept as Fixture) // with another fixture, the test fails
  const using = new Set(
    resolvedSuite('canton-3.5').rows.flatMap(({ id, fixtures }) => (fixtures.includes('values') ? id : [])),
  )
  const messages = lintSuite({ ...suiteOf((id) => using.has(id)), fixtures }).map(({ message }) => message)
  const found = messages.filter((message) => message.startsWith('the row may consume'))
  t.match(found, [/the contract of the shared fixture "values" \(Echo\), because .* is accepted$/])
  t.equal(found.length, 1)
  t.end()
})
