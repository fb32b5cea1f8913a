/** Mutants that skip one check of the simulator each. */
import type { OperationName } from '../../interface/operations.js'
import { enforcedRules } from '../../simulator/base/checks.js'
// Declares all checks.
import '../../simulator/endpoints.js'
import { type Circumstances, fault, type Mutant } from './mutant.js'

/** Checks that only one configuration makes. */
const where: Readonly<Record<string, Circumstances>> = {
  'SAW-TAPS-LIMIT': { behaviour: 'interface' },
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

/** Optional checks: skipping one breaks no rule. */
const permissions: ReadonlySet<string> = new Set(['EXE-SINGLE-PARTY'])

export const skippedChecks: readonly Mutant[] = enforcedRules()
  .filter((rule) => !permissions.has(rule))
  .map((rule) => {
    const operation = operationOf[rule.split('-')[0] ?? '']
    if (!operation)
      throw new Error(`the rule of check ${rule} has an unknown prefix; known: ${Object.keys(operationOf).join(', ')}`)
    return {
      name: `without-${rule.toLowerCase()}`,
      ...fault(operation, rule, 'acceptance'),
      sentence: `Check ${rule} is skipped.`,
      without: [rule],
      ...(where[rule] && { where: where[rule] }),
    }
  })
