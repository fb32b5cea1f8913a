/** Rules that the judge applies by itself, wherever they can be judged; every suite must have them. */
export const implicitRules = {
  noServerError: 'GEN-NO-SERVER-ERROR',
  responseShape: 'GEN-RESPONSE-SHAPE',
} as const
