import type { Mistake } from './mistake.js'

const lookup = 'cases/contract-by-id/look-up.yaml'

export const yamlMistakes: readonly Mistake[] = [
  [
    'invalid YAML',
    [['suite.yaml', '1.2.3', '[1.2.3']],
    ['suite.yaml:1:15: invalid YAML: Flow sequence in block collection must be sufficiently indented and end with a ]'],
  ],
  [
    'a duplicate key',
    [['situations.yaml', 'unknown-contract:', '"empty-act-as":']],
    ['situations.yaml:3:3: duplicate key "empty-act-as"'],
  ],
  ['an unknown tag', [['suite.yaml', '1.2.3', '!number 1']], ['suite.yaml:1:10: tags (!name) are not supported']],
  [
    'an alias',
    [['situations.yaml', 'The contract is unknown.', '*x']],
    ['situations.yaml:3:21: aliases (*name) are not supported | repeat the value, or define a base request'],
  ],
  [
    'an anchor and its alias',
    [
      [
        'rules/general.yaml',
        'statement: Everything is a POST., strength: must, section: Endpoints',
        'statement: &x Post., strength: must, section: *x',
      ],
    ],
    ['rules/general.yaml:2:67: aliases (*name) are not supported | repeat the value, or define a base request'],
  ],
  [
    'a number that would be rounded',
    [[lookup, '/d: 3', '/d: 9007199254740993']],
    [
      `${lookup}:18:39: the number 9007199254740993 would be sent as 9007199254740992 | quote it; in a body, write { $number: "<digits>" }`,
    ],
  ],
  [
    'two documents',
    [['suite.yaml', '1.2.3\n', '1.2.3\n---\nversion: 1.2.4\n']],
    ['suite.yaml:2:1: the file has more than one YAML document'],
  ],
  ['an empty file', [['suite.yaml', undefined, '']], ['suite.yaml:1:1: the file must be a map, not null (empty)']],
  [
    'no suite.yaml',
    [['suite.yaml', undefined, undefined]],
    ['suite.yaml:1:1: the suite has no suite.yaml | create it with the content: version: 0.1.0'],
  ],
  [
    'an unexpected file',
    [['cases/stray.yml', undefined, 'cases: []\n']],
    [
      'cases/stray.yml:1:1: suites have no file of this name | suite files are suite.yaml, outline.yaml, situations.yaml, sequences.yaml, requests.yaml, actors.yaml, fixtures.yaml, probes.yaml, rules/*.yaml, profiles/*.yaml, requests/*.yaml, fixtures/*.yaml and cases/<operation>/*.yaml',
    ],
  ],
]
