/** Each suite must have these rules. */
export const implicitRules = {
  noServerError: 'GEN-NO-SERVER-ERROR',
  responseShape: 'GEN-RESPONSE-SHAPE',
} as const

export const jsonBodies = 'GEN-JSON-BODY'

export const noEffect = 'GEN-NO-EFFECT'

/** By operation: the rule that an accepted request has no other effect. */
export const nothingElse: ReadonlyMap<string, string> = new Map([
  ['submit-and-wait', 'SAW-PURPOSE'],
  ['execute', 'EXE-PURPOSE'],
  ['execute-and-wait-for-transaction', 'EXE-PURPOSE'],
  ['execute-and-wait', 'EXE-PURPOSE'],
])
