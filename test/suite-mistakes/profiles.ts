import type { Mistake } from './mistake.js'

/** Profiles that lack something. */
export const profileMistakes: readonly Mistake[] = [
  [
    'a profile that lacks an outcome',
    [['profiles/interface.yaml', 'refused: { status: 4xx }\n', '']],
    [
      'profiles/interface.yaml:1:10: the profile "interface" does not say what refused looks like | say it here, or extend a profile that does',
    ],
  ],
  [
    'profiles in a ring',
    [['profiles/interface.yaml', 'title:', 'extends: seen\ntitle:']],
    [
      'profiles/interface.yaml:1:10: profiles extend each other in a ring: interface -> seen -> interface',
      'profiles/seen.yaml:1:10: profiles extend each other in a ring: seen -> interface -> seen',
    ],
  ],
  [
    'an outcome that says nothing',
    [['profiles/interface.yaml', 'refused: { status: 4xx }', 'refused: {}']],
    [
      'profiles/interface.yaml:4:10: "refused" says nothing | give at least one: status, media-type, code, category, grpc, context, resources, retry, mentions, names-hash',
    ],
  ],
]
