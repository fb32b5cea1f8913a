import type { Mistake } from './mistake.js'

export const profileMistakes: readonly Mistake[] = [
  [
    'a profile that lacks an outcome',
    [['profiles/interface.yaml', 'refused: { status: 4xx }\n', '']],
    [
      'profiles/interface.yaml:1:10: the profile "interface" does not define refused | define it here, or extend a profile that defines it',
    ],
  ],
  [
    'profiles in a cycle',
    [['profiles/interface.yaml', 'title:', 'extends: seen\ntitle:']],
    [
      'profiles/interface.yaml:1:10: profiles extend each other in a cycle: interface -> seen -> interface',
      'profiles/seen.yaml:1:10: profiles extend each other in a cycle: seen -> interface -> seen',
    ],
  ],
  [
    'an unknown code',
    [['profiles/seen.yaml', 'name: one, code: MISSING_FIELD', 'name: one, code: MISSING_FELD']],
    [
      'profiles/seen.yaml:9:3: no situation uses the code "MISSING_FIELD" | remove it',
      'profiles/seen.yaml:13:28: unknown code "MISSING_FELD" | did you mean "MISSING_FIELD"? allowed: MISSING_FIELD',
    ],
  ],
  [
    'a fact without source',
    [
      ['profiles/seen.yaml', 'source: a participant\n', ''],
      ['profiles/interface.yaml', '    source: an observer\n', ''],
    ],
    [
      'profiles/interface.yaml:9:5: the source of this fact is missing | add "source" here or at the top level of the profile',
      'profiles/seen.yaml:10:3: the source of this fact is missing | add "source" here or at the top level of the profile',
      'profiles/seen.yaml:14:3: the source of this fact is missing | add "source" here or at the top level of the profile',
    ],
  ],
  [
    'a profile without confidence',
    [['profiles/seen.yaml', 'confidence: observed\n', '']],
    ['profiles/seen.yaml:1:1: missing key "confidence"'],
  ],
  [
    'a definition of the built-in situation',
    [
      ['situations.yaml', 'situations:', 'situations:\n  accepted: The request is valid.'],
      ['profiles/interface.yaml', 'situations:', 'situations:\n  accepted: { accepted: true, source: the text }'],
    ],
    [
      'profiles/interface.yaml:7:3: "accepted" is a built-in situation | use "accepted" at the top level of the profile',
      'situations.yaml:2:3: "accepted" is a built-in situation | choose another name',
    ],
  ],
  [
    'an empty outcome',
    [['profiles/interface.yaml', 'refused: { status: 4xx }', 'refused: {}']],
    ['profiles/interface.yaml:5:10: "refused" is empty'],
  ],
]
