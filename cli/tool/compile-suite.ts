/** A step of the build: leaves the suite as it is when it has been read, so that commands need not read its YAML. */
import { storeCompiled } from '../../runner/load/compiled-suite.js'
import { loadFromYaml } from '../../runner/load/load-suite.js'
import { SuiteError } from '../../runner/yaml/suite-error.js'
import { suitePath } from './tool.js'

const folder = suitePath(undefined)
try {
  await storeCompiled(await loadFromYaml(folder))
} catch (error) {
  // `conform lint` reports what is wrong with a suite, and needs the build. Commands read the YAML then.
  if (!(error instanceof SuiteError)) throw error
}
