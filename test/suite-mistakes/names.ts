// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of suites have this form
import type { Mistake } from './mistake.js'

const lookup = 'cases/contract-by-id/look-up.yaml'
const steps = 'cases/execute/steps.yaml'

export const nameMistakes: readonly Mistake[] = [
  [
    'an unknown rule',
    [[lookup, 'rules: [GEN-NO-EFFECT]', 'rules: [GEN-NO-EFECT]']],
    [
      `${lookup}:30:17: unknown rule "GEN-NO-EFECT" | did you mean "GEN-NO-EFFECT"? allowed: GEN-POST, GEN-NO-EFFECT, GEN-CLIENT, GEN-INSIDE`,
    ],
  ],
  [
    'an unknown rule of a probe',
    [['probes.yaml', 'rules: [GEN-NO-EFFECT]', 'rules: [GEN-PROST]']],
    [
      'probes.yaml:4:13: unknown rule "GEN-PROST" | did you mean "GEN-POST"? allowed: GEN-POST, GEN-NO-EFFECT, GEN-CLIENT, GEN-INSIDE',
    ],
  ],
  [
    'an unknown rule of a divergence',
    [['profiles/interface.yaml', 'rule: GEN-POST', 'rule: OTHER']],
    ['profiles/interface.yaml:10:11: unknown rule "OTHER" | allowed: GEN-POST, GEN-NO-EFFECT, GEN-CLIENT, GEN-INSIDE'],
  ],
  [
    'an unknown situation',
    [[lookup, 'outcome: unknown-contract', 'outcome: unknown-contrat']],
    [
      `${lookup}:21:14: unknown situation "unknown-contrat" | did you mean "unknown-contract"? allowed: accepted, empty-act-as, unknown-contract`,
    ],
  ],
  [
    'an unknown situation in a profile',
    [['profiles/seen.yaml', '  unknown-contract:', '  unknown-party:']],
    ['profiles/seen.yaml:15:3: unknown situation "unknown-party" | allowed: accepted, empty-act-as, unknown-contract'],
  ],
  [
    'an unknown profile',
    [['profiles/seen.yaml', 'extends: interface', 'extends: interfaces']],
    ['profiles/seen.yaml:3:10: unknown profile "interfaces" | did you mean "interface"? allowed: interface, seen'],
  ],
  [
    'an unknown divergence',
    [['profiles/seen.yaml', 'divergence: LATE', 'divergence: LATER']],
    ['profiles/seen.yaml:15:51: unknown divergence "LATER" | did you mean "LATE"? allowed: LATE'],
  ],
  [
    'an unknown request',
    [[steps, 'request: execute, capture', 'request: exekute, capture']],
    [`${steps}:9:20: unknown request "exekute" | did you mean "execute"? allowed: look-up, party, create, execute`],
  ],
  [
    'an unknown actor',
    [[lookup, 'as: guest', 'as: gest']],
    [`${lookup}:33:13: unknown actor "gest" | did you mean "guest"? allowed: operator, guest`],
  ],
  [
    'an unknown actor of a request',
    [['requests/reading.yaml', 'as: operator', 'as: robot']],
    ['requests/reading.yaml:4:9: unknown actor "robot" | allowed: operator, guest'],
  ],
  [
    'an unknown token',
    [[lookup, 'token: expired', 'token: expire']],
    [`${lookup}:34:16: unknown token "expire" | did you mean "expired"? allowed: none, expired`],
  ],
  [
    'an unknown probe',
    [
      [lookup, 'afterwards: no-transaction', 'afterwards: no-transactions'],
      [lookup, '    outcome: accepted\n  - id', "    outcome: accepted\n    edit: { /at: '${begin}' }\n  - id"],
    ],
    [`${lookup}:7:17: unknown probe "no-transactions" | did you mean "no-transaction"? allowed: no-transaction`],
  ],
  [
    'an unknown party in a right',
    [['actors.yaml', 'CanActAs alice', 'CanActAs alise']],
    ['actors.yaml:2:42: unknown party "alise" | did you mean "alice"? allowed: alice'],
  ],
  [
    'a right over a contract',
    [['actors.yaml', 'CanActAs alice', 'CanActAs ping']],
    ['actors.yaml:2:42: unknown party "ping" | allowed: alice'],
  ],
  [
    'a duplicate rule id',
    [['rules/general.yaml', 'id: GEN-CLIENT', 'id: GEN-POST']],
    ['rules/general.yaml:8:5: the rule "GEN-POST" is already defined | the first one is at rules/general.yaml:2:5'],
  ],
  [
    'the same request in two files',
    [
      ['requests/writing.yaml', '  create:', '  party:'],
      ['fixtures.yaml', 'request: create', 'request: party'],
    ],
    [
      'requests/writing.yaml:2:3: the request "party" is already defined | the first one is at requests/reading.yaml:6:3',
    ],
  ],
  [
    'the same case id in two files',
    [[steps, 'id: EXE-STEPS', 'id: CBI-ONE']],
    [`${steps}:3:5: the case "CBI-ONE" is already defined | the first one is at cases/contract-by-id/look-up.yaml:3:5`],
  ],
  [
    'a duplicate row id',
    [[lookup, 'id: different', 'id: as-it-is']],
    [
      `${lookup}:28:9: the row "as-it-is" is already defined | the first one is at cases/contract-by-id/look-up.yaml:27:9`,
    ],
  ],
  [
    'a duplicate profile',
    [['profiles/seen.yaml', 'profile: seen', 'profile: interface']],
    [
      'profiles/seen.yaml:1:10: the profile "interface" is already defined | the first one is at profiles/interface.yaml:1:10',
    ],
  ],
  [
    'a duplicate divergence',
    [
      [
        'profiles/interface.yaml',
        'divergences:\n',
        'divergences:\n  - { id: LATE, rule: GEN-POST, statement: Late., source: somebody }\n',
      ],
    ],
    [
      'profiles/interface.yaml:10:5: the divergence "LATE" is already defined | the first one is at profiles/interface.yaml:9:5',
    ],
  ],
  [
    'a duplicate alternative',
    [['profiles/seen.yaml', 'name: two', 'name: one']],
    ['profiles/seen.yaml:14:9: another alternative has the name "one" | choose another name'],
  ],
  [
    'a duplicate step name',
    [[steps, '{ request: execute, outcome', '{ name: prepare, request: execute, outcome']],
    [`${steps}:8:17: another step has the name "prepare" | choose another name`],
  ],
]
