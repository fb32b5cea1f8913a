// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of suites are written like that
import type { Mistake } from './mistake.js'

const look = 'cases/contract-by-id/look-up.yaml'
const steps = 'cases/execute/steps.yaml'

/** Cases that send or expect nothing, too much, or anything. */
export const expectationMistakes: readonly Mistake[] = [
  [
    'a case that expects nothing',
    [[look, '    outcome: accepted\n  - id', '  - id']],
    [`${look}:3:5: nothing is expected of the step under test | say "outcome" with a situation, or "expect"`],
  ],
  [
    'a row that expects nothing',
    [
      [steps, ", expect: { body: { /other: { equals: '${end}' } } }", ''],
      [steps, 'id: refused, outcome: empty-act-as', 'id: refused'],
    ],
    [`${steps}:11:9: nothing is expected of the step under test | say "outcome" with a situation, or "expect"`],
  ],
  [
    'a case that only leaves out the schema',
    [[look, '    outcome: accepted\n  - id', '    expect: { schema: false }\n  - id']],
    [`${look}:3:5: nothing is expected of the step under test | say "outcome" with a situation, or "expect"`],
  ],
  [
    'an empty expectation',
    [[look, '    outcome: accepted\n  - id', '    expect: {}\n  - id']],
    [`${look}:8:13: "expect" is empty | give at least one: status, headers, body, schema`],
  ],
  [
    'an empty expectation of a body',
    [['probes.yaml', "body: { '': { mentions-none: ['${row}'] } }", 'body: {}']],
    ['probes.yaml:8:75: "body" is empty | give at least one, or leave the key out'],
  ],
  [
    'an empty matcher',
    [[look, '{ type: integer, greater-than: 0 }', '{}']],
    [
      `${look}:41:57: "/more" is empty | give at least one: format, of, equals, one-of, type, pattern, grammar, present, null, empty, unpopulated, timestamp, same-time, not-before, same-set, same-items, subset-of, superset-of, intersects, some, each, every, includes, at, length, keys, greater-than, at-least, mentions, mentions-none, rules`,
    ],
  ],
  [
    'an empty list of rules',
    [[look, 'rules: [GEN-NO-EFFECT]', 'rules: []']],
    [`${look}:30:16: "rules" is empty | give at least one, or leave the key out`],
  ],
  [
    'a probe that expects nothing',
    [['probes.yaml', ", expect: { body: { '': { mentions-none: ['${row}'] } } }", '']],
    ['probes.yaml:2:3: the probe "no-transaction" expects nothing afterwards | say "outcome" or "expect" in a step'],
  ],
  [
    'a situation of which nothing is said',
    [['profiles/interface.yaml', '{ refused: { code: OLD }, source: the text }', '{ source: the text }']],
    [
      'profiles/interface.yaml:7:17: nothing is said of whether "empty-act-as" is accepted or refused | give "accepted: true", "refused", or both',
    ],
  ],
  [
    'neither request nor steps',
    [[look, '    request: look-up\n    rules', '    rules']],
    [`${look}:3:5: the case has neither "request" nor "steps" | say what is sent`],
  ],
  [
    'both request and steps',
    [[steps, '    steps:\n', '    request: execute\n    edit: { /a: 1 }\n    steps:\n']],
    [
      `${steps}:6:5: "request" cannot stand beside "steps" | move it into a step, or into rows`,
      `${steps}:7:5: "edit" cannot stand beside "steps" | move it into a step, or into rows`,
    ],
  ],
  [
    'rules inside of a matcher',
    [[look, '{ each: not-empty, rules: [GEN-POST] }', '{ each: { empty: false, rules: [GEN-POST] } }']],
    [`${look}:25:80: no rules are judged by this alone | name them beside the pointer in "expect"`],
  ],
  [
    'a race that nobody wins',
    [
      [
        steps,
        '{ request: execute, outcome: empty-act-as }',
        '{ request: execute, race: { times: 2, others: empty-act-as } }',
      ],
    ],
    [`${steps}:8:35: somebody wins a race | say "outcome: accepted" beside it: that is the winner`],
  ],
  [
    'a body as text and as base64',
    [[look, 'base64: aGk= }', 'base64: aGk=, text: hi }']],
    [`${look}:37:52: the body is sent as text or as base64, not both | leave one of them out`],
  ],
  [
    'a pattern that is no regular expression',
    [[look, "'text/.+'", "'text/(.+'"]],
    [`${look}:24:43: invalid regular expression | Unterminated group`],
  ],
  [
    'a pattern that matches anything',
    [[look, "'text/.+'", "'.*'"]],
    [`${look}:24:43: this pattern matches anything | say "present", or what the text really looks like`],
  ],
  [
    'a pattern that matches anything in a roundabout way',
    [[look, "'text/.+'", "'(x|.+)?'"]],
    [`${look}:24:43: this pattern matches anything | say "present", or what the text really looks like`],
  ],
]
