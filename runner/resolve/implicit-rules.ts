/** Rules by which answers are judged without being asked for, wherever they can be; every suite must have them. */
export const implicitRules = {
  noServerError: 'GEN-NO-SERVER-ERROR',
  responseShape: 'GEN-RESPONSE-SHAPE',
} as const
