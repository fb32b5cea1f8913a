/** Build step, so that commands do not parse YAML. */
import { storeCompiled } from '../../runner/load/compiled-suite.js'
import { loadFromYaml } from '../../runner/load/load-suite.js'
import { FindingsError } from '../../runner/yaml/findings.js'
import { suitePath } from './tool.js'

const folder = suitePath(undefined)
try {
  await storeCompiled(await loadFromYaml(folder))
} catch (error) {
  // An invalid suite does not fail the build: `conform lint`, which needs the build, reports it.
  if (!(error instanceof FindingsError)) throw error
}
