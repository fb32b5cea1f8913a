// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of suites are written like that
import type { Mistake } from './mistake.js'

const look = 'cases/contract-by-id/look-up.yaml'
const steps = 'cases/execute/steps.yaml'

/** Cases that send or expect nothing, too much, or anything. */
export const expectationMistakes: readonly Mistake[] = [
  [
    'a case that expects nothing',
    [[look, '    accepted: true\n  - id', '  - id']],
    [
      `${look}:3:5: nothing is expected of the step under test | say "accepted: true", "refused: <condition>", or "expect"`,
    ],
  ],
  [
    'a row that expects nothing',
    [
      [steps, ", expect: { body: { /other: { equals: '${end}' } } }", ''],
      [steps, 'id: refused, refused: empty-act-as', 'id: refused'],
    ],
    [
      `${steps}:11:9: nothing is expected of the step under test | say "accepted: true", "refused: <condition>", or "expect"`,
    ],
  ],
  [
    'a case that only leaves out the schema',
    [[look, '    accepted: true\n  - id', '    expect: { schema: false }\n  - id']],
    [
      `${look}:3:5: nothing is expected of the step under test | say "accepted: true", "refused: <condition>", or "expect"`,
    ],
  ],
  [
    'an empty expectation',
    [[look, '    accepted: true\n  - id', '    expect: {}\n  - id']],
    [`${look}:8:13: "expect" says nothing | give at least one: status, headers, body, schema`],
  ],
  [
    'an empty expectation of a body',
    [['probes.yaml', "body: { '': { mentions-none: ['${row}'] } }", 'body: {}']],
    ['probes.yaml:8:75: "body" says nothing | give at least one, or leave the key out'],
  ],
  [
    'an empty matcher',
    [[look, '{ type: integer, greater-than: 0 }', '{}']],
    [
      `${look}:41:57: "/more" says nothing | give at least one: form, equals, one-of, type, pattern, grammar, present, null, empty, unpopulated, timestamp, same-set, subset-of, superset-of, intersects, some, each, includes, at, length, greater-than, at-least, mentions, mentions-none`,
    ],
  ],
  [
    'an empty list of rules',
    [[look, 'rules: [GEN-NO-EFFECT]', 'rules: []']],
    [`${look}:30:16: "rules" says nothing | give at least one, or leave the key out`],
  ],
  [
    'a probe that expects nothing',
    [['probes.yaml', ", expect: { body: { '': { mentions-none: ['${row}'] } } }", '']],
    [
      'probes.yaml:2:3: the probe "no-transaction" expects nothing afterwards | say "accepted: true" or "expect" in a step',
    ],
  ],
  [
    'a condition of which nothing is said',
    [['profiles/interface.yaml', '{ status: 4xx, code: OLD, source: the text }', '{ source: the text }']],
    ['profiles/interface.yaml:6:17: nothing is said of how "empty-act-as" looks | give at least a status or a code'],
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
    'accepted and refused at once',
    [[steps, '{ id: accepted, accepted: true,', '{ id: accepted, accepted: true, refused: empty-act-as,']],
    [`${steps}:12:35: a request is either accepted or refused, not both | leave one of them out`],
  ],
  [
    'a body as text and as base64',
    [[look, 'base64: aGk= }', 'base64: aGk=, text: hi }']],
    [`${look}:37:52: the body is sent as text or as base64, not both | leave one of them out`],
  ],
  [
    'a pattern that is no regular expression',
    [[look, "'text/.+'", "'text/(.+'"]],
    [`${look}:24:43: this is no regular expression | Unterminated group`],
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
