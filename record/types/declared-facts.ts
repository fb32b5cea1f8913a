/** Only a target file declares these variables: no run can create or read them. */
export const declaredFacts = [
  'unvettedSynchronizerId',
  'tapsLimit',
  'unhosted.preparedTransaction',
  'unhosted.partySignatures',
  'unhosted.hashingSchemeVersion',
] as const

export type DeclaredFact = (typeof declaredFacts)[number]
