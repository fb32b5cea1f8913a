/** A step of the build: leaves the suite as it is when it has been read, so that commands need not read its YAML. */
import { keepCompiled } from '../runner/load/compiled-suite.js'
import { loadAnew } from '../runner/load/load-suite.js'
import { SuiteError } from '../runner/load/suite-error.js'
import { readSuiteFiles } from '../runner/load/suite-files.js'
import { suitePath } from './tool.js'

/** What is wrong with a suite is for `conform lint` to tell, which needs the build: nothing is left then. */
export async function compileSuite(): Promise<void> {
  const folder = suitePath(undefined)
  try {
    const [suite, files] = [await loadAnew(folder), await readSuiteFiles(folder)]
    await keepCompiled(suite, new Map(files.map(({ shown, name }) => [shown, name])))
  } catch (error) {
    if (!(error instanceof SuiteError)) throw error
  }
}
