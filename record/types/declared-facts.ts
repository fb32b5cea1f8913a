/** Variables that no run can create or read; only a target file declares them. */
export const declaredFacts = [
  'unvettedSynchronizerId',
  'tapsLimit',
  'unhosted.preparedTransaction',
  'unhosted.partySignatures',
  'unhosted.hashingSchemeVersion',
] as const

export type DeclaredFact = (typeof declaredFacts)[number]
