// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of suites have this form
import type { Mistake } from './mistake.js'

const lookup = 'cases/contract-by-id/look-up.yaml'
const steps = 'cases/execute/steps.yaml'

export const expectationMistakes: readonly Mistake[] = [
  [
    'a case that expects nothing',
    [[lookup, '    outcome: accepted\n  - id', '  - id']],
    [`${lookup}:3:5: the step under test has no expectation | add "outcome" with a situation, or "expect"`],
  ],
  [
    'a row that expects nothing',
    [
      [steps, ", expect: { body: { /other: { equals: '${end}' } } }", ''],
      [steps, 'id: refused, outcome: empty-act-as', 'id: refused'],
    ],
    [`${steps}:11:9: the step under test has no expectation | add "outcome" with a situation, or "expect"`],
  ],
  [
    'an empty expectation',
    [[lookup, '    outcome: accepted\n  - id', '    expect: {}\n  - id']],
    [`${lookup}:8:13: "expect" is empty`],
  ],
  [
    'an empty expectation of a body',
    [['probes.yaml', "body: { '': { mentions-none: ['${row}'] } }", 'body: {}']],
    ['probes.yaml:8:75: "body" is empty'],
  ],
  ['an empty matcher', [[lookup, '{ type: integer, greater-than: 0 }', '{}']], [`${lookup}:41:53: "/more" is empty`]],
  ['an empty list of rules', [[lookup, 'rules: [GEN-NO-EFFECT]', 'rules: []']], [`${lookup}:30:16: "rules" is empty`]],
  [
    'a probe that expects nothing',
    [['probes.yaml', ", expect: { body: { '': { mentions-none: ['${row}'] } } }", '']],
    [
      'probes.yaml:2:3: the probe "no-transaction" has no expectation after the row | add "outcome" or "expect" to a step',
    ],
  ],
  [
    'a situation without outcome',
    [['profiles/interface.yaml', '{ refused: { code: OLD }, source: the text }', '{ source: the text }']],
    [
      'profiles/interface.yaml:7:17: the profile does not define whether "empty-act-as" is accepted or rejected | add "accepted: true", "refused", or both',
    ],
  ],
  [
    'neither request nor steps',
    [[lookup, '    request: look-up\n    rules', '    rules']],
    [`${lookup}:3:5: the case has neither "request" nor "steps" | add one of them`],
  ],
  [
    'both request and steps',
    [[steps, '    steps:\n', '    request: execute\n    edit: { /a: 1 }\n    steps:\n']],
    [
      `${steps}:6:5: "request" is not allowed beside "steps" | move it into a step or a row`,
      `${steps}:7:5: "edit" is not allowed beside "steps" | move it into a step or a row`,
    ],
  ],
  [
    'rules inside a matcher',
    [[lookup, '{ each: not-empty, rules: [GEN-POST] }', '{ each: { empty: false, rules: [GEN-POST] } }']],
    [`${lookup}:25:80: rules are not allowed inside a matcher | name them directly below the pointer in "expect"`],
  ],
  [
    'a race without the outcome of its winner',
    [
      [
        steps,
        '{ request: execute, outcome: empty-act-as }',
        '{ request: execute, race: { times: 2, others: empty-act-as } }',
      ],
    ],
    [`${steps}:8:35: a race needs the outcome of its winner | add "outcome: accepted" to the step`],
  ],
  [
    'a body as text and as base64',
    [[lookup, 'base64: aGk= }', 'base64: aGk=, text: hi }']],
    [`${lookup}:37:52: a body is either text or base64 | remove one of them`],
  ],
  [
    'an invalid regular expression',
    [[lookup, "'text/.+'", "'text/(.+'"]],
    [`${lookup}:24:36: invalid regular expression | Unterminated group`],
  ],
  [
    'a pattern that matches every string',
    [[lookup, "'text/.+'", "'.*'"]],
    [`${lookup}:24:36: this pattern matches every string | use "present", or a pattern that excludes some strings`],
  ],
  [
    'a complex pattern that matches every string',
    [[lookup, "'text/.+'", "'(x|.+)?'"]],
    [`${lookup}:24:36: this pattern matches every string | use "present", or a pattern that excludes some strings`],
  ],
  [
    'a pattern with much backtracking',
    [[lookup, "'text/.+'", "'[^x]|[{].*|(x+)+y'"]],
    [`${lookup}:24:36: this pattern is too slow for a string of 5000 characters | avoid nested repetitions`],
  ],
]
