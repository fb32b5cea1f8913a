// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of suites have this form
import type { Mistake } from './mistake.js'

const lookup = 'cases/contract-by-id/look-up.yaml'
const steps = 'cases/execute/steps.yaml'

export const shapeMistakes: readonly Mistake[] = [
  [
    'an unknown key at the top',
    [['suite.yaml', 'version', 'versoin']],
    [
      'suite.yaml:1:1: missing key "version"',
      'suite.yaml:1:1: unknown key "versoin" | did you mean "version"? allowed: version',
    ],
  ],
  [
    'an unknown key in a case',
    [[lookup, '    outcome: unknown', '    outcom: unknown']],
    [
      `${lookup}:21:5: unknown key "outcom" | did you mean "outcome"? allowed: id, title, rules, impact, hazard, besides, needs, let, afterwards, serial, uncontrolled, request, as, token, edit, remove, send, capture, outcome, expect, steps, restore, rows`,
    ],
  ],
  [
    'an unknown key in a row',
    [[lookup, '        as: guest', '        token-of: guest']],
    [
      `${lookup}:33:9: unknown key "token-of" | allowed: id, for-each, title, rules, impact, uncontrolled, needs, let, as, token, edit, remove, send, outcome, expect`,
    ],
  ],
  [
    'an unknown matcher',
    [[lookup, 'greater-than: 0', 'greater-then: 0']],
    [`${lookup}:41:70: unknown key "greater-then" | did you mean "greater-than"?`],
  ],
  [
    'an unknown matcher word',
    [[lookup, '/message: absent', '/message: absnt']],
    [
      `${lookup}:25:41: unknown matcher "absnt" | did you mean "absent"? allowed: present, absent, null, empty, not-empty, unpopulated, timestamp, open`,
    ],
  ],
  [
    'a missing key',
    [['rules/general.yaml', '    section: Errors\n', '']],
    ['rules/general.yaml:3:5: missing key "section"'],
  ],
  [
    'a key of the wrong type',
    [[lookup, 'serial: true', 'serial: yes']],
    [`${lookup}:14:13: "serial" must be true or false, not the string "yes"`],
  ],
  [
    'a list that should be a map',
    [[lookup, 'edit: { /a: 1, /b: { /c: 2 }, /d: 3 }', 'edit: [/a]']],
    [`${lookup}:18:11: "edit" must be a map, not a list`],
  ],
  [
    'an unknown strength',
    [['rules/general.yaml', 'strength: should', 'strength: shuld']],
    ['rules/general.yaml:5:15: unknown strength "shuld" | did you mean "should"? allowed: must, should, may, client'],
  ],
  [
    'an unknown impact',
    [[lookup, 'impact: write', 'impact: writes']],
    [`${lookup}:12:13: unknown impact "writes" | did you mean "write"? allowed: read, write, topology, hazard`],
  ],
  [
    'an unknown operation',
    [['requests/writing.yaml', 'operation: submit-and-wait', 'operation: submit-and-weit']],
    ['requests/writing.yaml:2:24: unknown operation "submit-and-weit" | did you mean "submit-and-wait"?'],
  ],
  [
    'an unknown operation of cases',
    [[steps, 'operation: execute', 'operation: get-party']],
    [
      `${steps}:1:12: unknown operation "get-party" | allowed: contract-by-id, submit-and-wait, execute-and-wait-for-transaction, execute, update-package-vetting`,
    ],
  ],
  [
    'another operation than that of the folder',
    [[steps, 'operation: execute', 'operation: submit-and-wait']],
    [
      `${steps}:1:12: the operation is "submit-and-wait", but the folder is "execute" | move the file to the folder "submit-and-wait"`,
    ],
  ],
  [
    'an unknown capability',
    [[lookup, 'needs: [authorization]', 'needs: [authorisation]']],
    [
      `${lookup}:13:13: unknown capability "authorisation" | did you mean "authorization"? allowed: authorization, open-access, one-synchronizer, several-synchronizers, external-parties, hashing-v3, prepared-synchronizer, contract-keys, conformance-model, direct-connection`,
    ],
  ],
  [
    'an invalid status',
    [['profiles/interface.yaml', 'refused: { status: 4xx }', 'refused: { status: 4x }']],
    [
      'profiles/interface.yaml:5:20: "status" cannot be "4x" | a status is a number from 100 to 599, or a class such as 4xx',
    ],
  ],
  [
    'a status out of bounds',
    [['profiles/seen.yaml', 'status: [200, 204]', 'status: [200, 20]']],
    [`profiles/seen.yaml:7:27: an element of "status" must be >= 100`],
  ],
  [
    'an invalid pointer',
    [[lookup, 'remove: [/d]', 'remove: [d]']],
    [
      `${lookup}:36:18: an element of "remove" cannot be "d" | a pointer is empty (the whole body) or begins with a slash, such as /actAs/0, and contains no variables`,
    ],
  ],
  [
    'a variable in a pointer',
    [[lookup, 'edit: { /a: one, /x: back }', "edit: { '/a/${alice}': one }"]],
    [
      `${lookup}:35:17: "/a/\${alice}" is not a valid key here | a pointer is empty (the whole body) or begins with a slash, such as /actAs/0, and contains no variables`,
    ],
  ],
  [
    'an unknown right',
    [['actors.yaml', 'CanActAs alice', 'CanAct alice']],
    [
      'actors.yaml:2:42: an element of "rights" cannot be "CanAct alice" | a right is ParticipantAdmin, IdentityProviderAdmin, CanReadAsAnyParty, CanExecuteAsAnyParty, or one of CanActAs, CanReadAs and CanExecuteAs with a party, such as "CanActAs alice"',
    ],
  ],
  [
    'invalid base64',
    [[lookup, 'aGk=', 'aGk']],
    [`${lookup}:37:52: "base64" cannot be "aGk" | this is not base64 with padding`],
  ],
  [
    'accepted: false',
    [['profiles/seen.yaml', 'accepted: true', 'accepted: false']],
    ['profiles/seen.yaml:15:33: "accepted" must be true or omitted'],
  ],
  [
    'an outcome without situation',
    [[lookup, '        outcome: accepted\n        expect', '        outcome: { rules: [GEN-POST] }\n        expect']],
    [`${lookup}:38:18: missing key "situation"`],
  ],
  [
    'neither of two alternative keys',
    [
      [steps, 'operation: execute\n', ''],
      ['rules/general.yaml', ', passages: [paragraph 1] }', ' }'],
    ],
    [
      `${steps}:1:1: the file needs either "operation" or "operations" | keep exactly one of them`,
      'rules/general.yaml:2:5: a rule needs either "passages" or "fact-of" | keep exactly one of them',
    ],
  ],
  [
    'both of two alternative keys',
    [['rules/general.yaml', 'passages: [paragraph 1] }', 'passages: [paragraph 1], fact-of: seen }']],
    ['rules/general.yaml:2:5: a rule needs either "passages" or "fact-of" | keep exactly one of them'],
  ],
  [
    'a string in place of a map',
    [['rules/general.yaml', 'unspecified:', '  - word\nunspecified:']],
    ['rules/general.yaml:16:5: an element of "rules" must be a map, not the string "word"'],
  ],
]
