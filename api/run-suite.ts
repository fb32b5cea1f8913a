import { requireKnownOptions } from './implementation/known-options.js'
import { ConformanceError } from './types/conformance-error.js'
import type { SuiteOptions } from './types/suite-options.js'
import type { SuiteResult } from './types/suite-result.js'

const known = [
  ...['target', 'authorization', 'targetFile', 'profile', 'only', 'seed', 'concurrency', 'protocolVersion'],
  ...['allow', 'out', 'redact', 'on'],
]

/**
 * Runs the suite against a participant and resolves to the verdicts. A participant that does not conform is a result; it
 * rejects with `ConformanceError` where no run comes about: `INVALID_OPTION`, `NOTHING_SELECTED`, `TARGET_UNUSABLE`.
 */
export async function runSuite(options: SuiteOptions = {}): Promise<SuiteResult> {
  requireKnownOptions(options, known)
  const { concurrency = 1 } = options
  if (!Number.isInteger(concurrency) || concurrency < 1) {
    throw new ConformanceError('INVALID_OPTION', `concurrency: ${concurrency} is no whole number of at least 1`)
  }
  const { performSuite } = await import('./implementation/perform-suite.js')
  return performSuite(options)
}
