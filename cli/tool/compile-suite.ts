/** A step of the build: leaves the suite as it is when it has been read, so that commands need not read its YAML. */
import { keepCompiled } from '../../runner/load/compiled-suite.js'
import { loadAnew } from '../../runner/load/load-suite.js'
import { SuiteError } from '../../runner/yaml/suite-error.js'
import { suitePath } from './tool.js'

const folder = suitePath(undefined)
try {
  await keepCompiled(await loadAnew(folder))
} catch (error) {
  // `conform lint` reports what is wrong with a suite, and needs the build. Commands read the YAML then.
  if (!(error instanceof SuiteError)) throw error
}
