/** Rules by which answers are judged without being asked for, wherever they can be; every suite must have them. */
export const implicitRules = {
  noServerError: 'GEN-NO-SERVER-ERROR',
  responseShape: 'GEN-RESPONSE-SHAPE',
} as const

/** The rule that is broken where a success is answered with something else than JSON. */
export const jsonBodies = 'GEN-JSON-BODY'

/** The rule that is broken where what is refused is committed all the same. */
export const noEffect = 'GEN-NO-EFFECT'

/** By operation, the rule that is broken where what is accepted is committed, and something else that no answer tells of. */
export const nothingElse: ReadonlyMap<string, string> = new Map([
  ['submit-and-wait', 'SAW-PURPOSE'],
  ['execute', 'EXE-PURPOSE'],
  ['execute-and-wait-for-transaction', 'EXE-PURPOSE'],
  ['execute-and-wait', 'EXE-PURPOSE'],
])
