/** What a target can or cannot do; cases name what they need. The schema of cases has the same list. */
export const capabilities = [
  'authorization',
  'open-access',
  'one-synchronizer',
  'several-synchronizers',
  'external-parties',
  'hashing-v3',
  'prepared-synchronizer',
  'contract-keys',
  'conformance-model',
] as const
