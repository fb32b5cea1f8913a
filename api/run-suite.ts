import { isRegExp } from 'node:util/types'
import { listOf, members, oneOf, secretText, text, that, wholeNumber } from './implementation/known-options.js'
import type { SuiteOperation, SuiteOptions } from './types/suite-options.js'
import type { SuiteResult } from './types/suite-result.js'

const listener = that('a function', (value) => typeof value === 'function')

const operations: readonly SuiteOperation[] = [
  'contract-by-id',
  'submit-and-wait',
  'execute-and-wait-for-transaction',
  'execute',
  'update-package-vetting',
]

const known: Record<keyof SuiteOptions, ReturnType<typeof listOf>> = {
  target: text,
  authorization: secretText,
  targetFile: text,
  profile: text,
  operations: listOf(oneOf(...operations)),
  only: text,
  seed: text,
  concurrency: wholeNumber(1, 1_000_000),
  protocolVersion: wholeNumber(1, 1_000_000),
  allow: listOf(oneOf('read', 'write', 'topology', 'upload', 'hazard')),
  out: text,
  redact: listOf(that('a regular expression', isRegExp)),
  on: members({ planned: listener, row: listener }),
}

/**
 * Runs the suite against a participant and resolves to the verdicts. A participant that does not conform is a result; it
 * rejects with `ConformanceError` where no run comes about, or a listener ends it: `INVALID_OPTION`, `NOTHING_SELECTED`, `TARGET_UNUSABLE`, `LISTENER_FAILED`.
 */
export async function runSuite(options: SuiteOptions = {}): Promise<SuiteResult> {
  members(known)(options, 'options')
  const { performSuite } = await import('./implementation/perform-suite.js')
  return performSuite(options)
}
