import { isRegExp } from 'node:util/types'
import {
  checkArray,
  checkInteger,
  checkObject,
  checkOneOf,
  checkSecret,
  checkString,
  checkValue,
} from './implementation/check-options.js'
import type { SuiteOperation, SuiteOptions, SuiteResult } from './types/suite.js'

const listener = checkValue('a function', (value) => typeof value === 'function')

const operations: readonly SuiteOperation[] = [
  'contract-by-id',
  'submit-and-wait',
  'execute-and-wait-for-transaction',
  'execute',
  'update-package-vetting',
]

const checks: Record<keyof SuiteOptions, ReturnType<typeof checkArray>> = {
  target: checkString,
  authorization: checkSecret,
  targetFile: checkString,
  profile: checkString,
  operations: checkArray(checkOneOf(...operations)),
  only: checkString,
  seed: checkString,
  concurrency: checkInteger(1, 1_000_000),
  protocolVersion: checkInteger(1, 1_000_000),
  allow: checkArray(checkOneOf('read', 'write', 'topology', 'upload', 'hazard')),
  out: checkString,
  redact: checkArray(checkValue('a regular expression', isRegExp)),
  on: checkObject({ planned: listener, row: listener }),
}

/**
 * Runs the suite; a participant that does not conform is a result. Rejects with `ConformanceError`: `INVALID_OPTION`,
 * `NOTHING_SELECTED`, `TARGET_UNUSABLE` or `LISTENER_FAILED`.
 * @example
 * const { conforming, rows } = await runSuite({ target: 'http://127.0.0.1:7575', only: 'CBI-*' })
 * rows.filter(({ verdict }) => verdict === 'fail').length // 0 if conforming
 */
export async function runSuite(options: SuiteOptions = {}): Promise<SuiteResult> {
  checkObject(checks)(options, 'options')
  const { performSuite } = await import('./implementation/perform-suite.js')
  return performSuite(options)
}
