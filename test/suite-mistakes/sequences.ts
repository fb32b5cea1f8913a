import type { Mistake } from './mistake.js'

const steps = 'cases/execute/steps.yaml'
const used = '{ sequence: looked-up, with: { party: { name: prepare } } }'

export const sequenceMistakes: readonly Mistake[] = [
  [
    'an unknown sequence',
    [[steps, used, '{ sequence: loked-up }']],
    [`${steps}:7:21: unknown sequence "loked-up" | did you mean "looked-up"? allowed: looked-up`],
  ],
  [
    'an unused sequence',
    [['sequences.yaml', 'sequences:', 'sequences:\n  idle: { meaning: Nothing., steps: [{ request: party }] }']],
    ['sequences.yaml:2:3: no step uses the sequence "idle" | remove it'],
  ],
  [
    'a difference in an unknown step',
    [[steps, 'with: { party:', 'with: { parti:']],
    [`${steps}:7:40: the sequence has no step "parti" | did you mean "party"? allowed: party`],
  ],
  [
    'a sequence that is also a step',
    [[steps, 'sequence: looked-up,', 'sequence: looked-up, request: party,']],
    [`${steps}:7:32: unknown key "request" | allowed: sequence, with`],
  ],
  [
    'probes in a cycle',
    [
      [
        'probes.yaml',
        'probes:',
        'probes:\n  one: { extends: two, statement: One. }\n  two: { extends: one, rules: [GEN-POST], after: [{ request: party, outcome: accepted }] }',
      ],
      ['probes.yaml', 'probes:', 'probes:\n  three: { extends: zero }'],
    ],
    [
      'probes.yaml:2:21: unknown probe "zero" | allowed: three, one, two, no-transaction',
      'probes.yaml:3:10: probes extend each other in a cycle: one -> two -> one',
      'probes.yaml:4:10: probes extend each other in a cycle: two -> one -> two',
    ],
  ],
  [
    'a probe without rules that extends no other',
    [['probes.yaml', '    rules: [GEN-NO-EFFECT]\n', '']],
    ['probes.yaml:3:5: missing key "rules"'],
  ],
]
