// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of suites have this form
import { vectors } from '../support/replay/recorded-vectors.js'
import type { Mistake } from './mistake.js'

const [vector, other] = vectors

const recorded = (transaction: string, hash: string): string =>
  `fixtures:\n  recorded:\n    prepared:\n      scheme: V2\n      hash: ${hash}\n      transaction: ${transaction}\n`

const lookup = 'cases/contract-by-id/look-up.yaml'
const steps = 'cases/execute/steps.yaml'

export const variableMistakes: readonly Mistake[] = [
  [
    'an unknown variable in a row',
    [[lookup, '/a: one', "/a: 'an ${alise}'"]],
    [`${lookup}:35:21: the variable \${alise} is not defined here | did you mean "\${alice}"?`],
  ],
  [
    'an unknown variable in the name of a member',
    [[lookup, '/a: one', "/a: { '${pong.id}': 1 }"]],
    [`${lookup}:35:23: the variable \${pong.id} is not defined here | did you mean "\${ping.id}"?`],
  ],
  [
    'an unknown generator',
    [[lookup, '/a: one', '/a: { $repaet: a, times: 3 }']],
    [
      `${lookup}:35:23: unknown generator "$repaet" | did you mean "$repeat"? allowed: $repeat, $times, $nested, $numbered, $pad, $number, $sum, $after, $flip-digit, $without, $member, $turn, $sign, $signature, $other-fingerprint, $upper-case, $prepared-hash, $alter, $uuid, $damage, $ecdsa-form, $ed25519-plus-order, $hex, $base64`,
    ],
  ],
  [
    'an unknown variable in a matcher',
    [[steps, "equals: '${end}'", "equals: '${start}'"]],
    [`${steps}:9:92: the variable \${start} is not defined here | capture it in an earlier step, or name a fixture`],
  ],
  [
    'an unknown variable in a base request',
    [['requests/writing.yaml', 'command ${row}', 'command ${rwo}']],
    ['requests/writing.yaml:2:60: the variable ${rwo} is not defined here | did you mean "${row}"?'],
  ],
  [
    'a variable that is captured too late',
    [[steps, '{ request: execute, outcome', "{ request: execute, edit: { /e: '${end}' }, outcome"]],
    [`${steps}:8:41: the variable \${end} is not defined here | capture it in an earlier step, or name a fixture`],
  ],
  [
    'a base request whose variable is not captured',
    [
      ['sequences.yaml', 'prepared: /transaction', 'other: /transaction'],
      ['probes.yaml', 'begin: /offset', 'begin: /offset, prepared: /x'],
    ],
    [
      `${steps}:8:20: the request "execute" needs \${prepared}, which no earlier step captures | capture it in an earlier step`,
      `${steps}:9:20: the request "execute" needs \${prepared}, which no earlier step captures | capture it in an earlier step`,
      `${steps}:12:63: the variable \${prepared} is not defined here | capture it in an earlier step, or name a fixture`,
    ],
  ],
  [
    'a variable of an unrelated probe',
    [[steps, "'${prepared}'", "'${begin}'"]],
    [`${steps}:12:63: the variable \${begin} is not defined here | capture it in an earlier step, or name a fixture`],
  ],
  [
    'a value that uses a later one',
    [[lookup, 'cases:', "let: { first: '${second}', second: x }\ncases:"]],
    [`${lookup}:2:15: the variable \${second} is not defined here | capture it in an earlier step, or name a fixture`],
  ],
  [
    'a wrong hash of the recorded transaction',
    [['fixtures/recorded.yaml', undefined, recorded(vector.preparedTransaction, other.preparedTransactionHash)]],
    [
      `fixtures/recorded.yaml:5:13: this is not the hash of the transaction under scheme V2 | the hash is ${vector.preparedTransactionHash}`,
    ],
  ],
  [
    'an invalid recorded transaction',
    [['fixtures/recorded.yaml', undefined, recorded('Zm9v', vector.preparedTransactionHash)]],
    ['fixtures/recorded.yaml:4:7: this is not a prepared transaction | give its bytes as base64'],
  ],
  [
    'a variable that only a row sets',
    [[lookup, '        as: guest', "        as: guest\n        let: { who: '${alice}' }"]],
    [`${lookup}:34:16: the row sets "who", but its case does not | set it in the case or the file as well`],
  ],
  [
    'an unknown variable in a value of a case',
    [[lookup, '    serial: true', "    serial: true\n    let: { who: '${alise}' }"]],
    [`${lookup}:15:17: the variable \${alise} is not defined here | did you mean "\${alice}"?`],
  ],
  [
    'a case that sets a defined variable',
    [[lookup, '    serial: true', '    serial: true\n    let: { alice: x }']],
    [
      // The invalid definition does not count for the probe.
      `${lookup}:5:14: the probe "no-transaction" needs \${alice}, which the case does not set | set it with "let", or capture it in a step`,
      `${lookup}:15:12: the variable "alice" is already defined | choose another name`,
    ],
  ],
  [
    'a probe whose variable one of its cases does not set',
    [
      ['probes.yaml', "/begin: '${begin}'", "/begin: '${since}'"],
      [
        steps,
        '    rules: [GEN-POST]\n',
        '    rules: [GEN-POST]\n    afterwards: no-transaction\n    let: { since: x }\n',
      ],
    ],
    [
      `${lookup}:5:14: the probe "no-transaction" needs \${since}, which the case does not set | set it with "let", or capture it in a step`,
    ],
  ],
  [
    'a private variable of a fixture',
    [[lookup, '/a: one', "/a: '${update}'"]],
    [`${lookup}:35:21: the variable \${update} is not defined here | capture it in an earlier step, or name a fixture`],
  ],
  [
    'a fixture without value',
    [[lookup, '/a: one', "/a: '${ping}'"]],
    [`${lookup}:35:21: the variable \${ping} is not defined here | capture it in an earlier step, or name a fixture`],
  ],
  [
    'a fixture that is created later',
    [
      [
        'fixtures.yaml',
        '  ping:',
        "  early:\n    steps:\n      - { request: look-up, edit: { /a: '${ping.id}' } }\n  ping:",
      ],
    ],
    [
      'fixtures.yaml:5:20: the request "look-up" needs ${ping.id}, which no earlier step captures | fixtures are created in file order, and "ping" defines the variable later',
      'fixtures.yaml:5:41: the variable ${ping.id} is not defined here | fixtures are created in file order, and "ping" defines the variable later',
    ],
  ],
  [
    'a fixture that needs itself',
    [['fixtures.yaml', '{ request: create, outcome: accepted', '{ request: look-up, outcome: accepted']],
    [
      'fixtures.yaml:5:20: the request "look-up" needs ${ping.id}, which no earlier step captures | fixtures are created in file order, and "ping" defines the variable later',
    ],
  ],
  [
    'an unknown variable in a claim',
    [['actors.yaml', '{ in-seconds: -60 }', "'${soon}'"]],
    ['actors.yaml:6:66: the variable ${soon} is not defined here | capture it in an earlier step, or name a fixture'],
  ],
  [
    'an unknown variable in a divergence',
    [['profiles/interface.yaml', '${alice}', '${bob}']],
    [
      'profiles/interface.yaml:14:41: the variable ${bob} is not defined here | capture it in an earlier step, or name a fixture',
    ],
  ],
  [
    'a duplicate captured variable',
    [[steps, 'capture: { end:', 'capture: { prepared: /x, end:']],
    [`${steps}:9:40: the variable "prepared" is already defined | choose another name`],
  ],
  [
    'a captured built-in variable',
    [[steps, 'capture: { end:', 'capture: { run: /x, end:']],
    [`${steps}:9:40: the variable "run" is already defined | choose another name`],
  ],
  [
    'a fixture named as a built-in variable',
    [['fixtures.yaml', '  ping:', '  run: { party: { hint: now } }\n  ping:']],
    ['fixtures.yaml:3:3: "run" is the name of a built-in variable | choose another name'],
  ],
]
