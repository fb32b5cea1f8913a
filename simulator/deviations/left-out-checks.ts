/** Every check that the simulator makes, left out: nobody lists them. */
import { type OperationName, operations } from '../../interface/operations.js'
import { enforcedRules } from '../base/checks.js'
import type { Circumstances, Deviation } from './deviation.js'

/** Checks that only some participants make: there they are left out. */
const where: Readonly<Record<string, Circumstances>> = {
  'VET-CHANGES-REQUIRED': { behaviour: 'interface' },
  'VET-CHANGES-NOT-EMPTY': { behaviour: 'interface' },
  'VET-SYNCHRONIZER-AMBIGUOUS': { synchronizers: 2 },
  'VET-DEPENDENCIES': { protocolVersion: 34 },
  'EXE-HASHING-SCHEME-V3': { protocolVersion: 34 },
  'AUTH-ACT-AS': { authorization: true },
}

const operationOf: Readonly<Record<string, OperationName>> = {
  CBI: 'contract-by-id',
  SAW: 'submit-and-wait',
  EXE: 'execute-and-wait-for-transaction',
  AUTH: 'execute-and-wait-for-transaction',
  VET: 'update-package-vetting',
}

/** What a participant may refuse, and need not: whoever leaves these out breaks nothing. */
const permissions: ReadonlySet<string> = new Set(['EXE-SINGLE-PARTY'])

/** Of the checks that have been declared until now: those of everything that serves an operation. */
export const leftOutChecks = (): Deviation[] =>
  obligations().map((rule) => {
    const operation = operationOf[rule.split('-')[0] ?? '']
    if (!operation) throw new Error(`the check ${rule} belongs to none of ${Object.keys(operations).join(', ')}`)
    return {
      name: `without-${rule.toLowerCase()}`,
      rule,
      operation,
      sentence: `Check ${rule} is skipped.`,
      shows: 'acceptance',
      without: [rule],
      ...(where[rule] && { where: where[rule] }),
    }
  })

const obligations = (): string[] => enforcedRules().filter((rule) => !permissions.has(rule))
