/** Rules that judge every response; each suite must have them. */
export const implicitRules = {
  noServerError: 'GEN-NO-SERVER-ERROR',
  responseShape: 'GEN-RESPONSE-SHAPE',
} as const

/** A successful response is JSON. */
export const jsonBodies = 'GEN-JSON-BODY'

/** A rejected request has no effect. */
export const noEffect = 'GEN-NO-EFFECT'

/** By operation: an accepted request has no effect beside the reported one. */
export const nothingElse: ReadonlyMap<string, string> = new Map([
  ['submit-and-wait', 'SAW-PURPOSE'],
  ['execute', 'EXE-PURPOSE'],
  ['execute-and-wait-for-transaction', 'EXE-PURPOSE'],
  ['execute-and-wait', 'EXE-PURPOSE'],
])
