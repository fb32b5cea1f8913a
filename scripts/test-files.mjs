/**
 * Runs all test files, several at a time; options of Node that this script was started with are handed on to each:
 *   node --interrupt-budget=400000 --enable-source-maps scripts/test-files.mjs
 * Those that take long come first: at the end nothing would go on beside them. Ends with 1 where a test failed.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'

/** More than two processors can work at: many tests wait. */
const concurrency = 3
/** The longest first, each more than ten seconds. */
const long = [
  ...['conform', 'prove', 'hostile-answers', 'targets-table', 'execution-suite', 'package', 'ended-runs', 'explore'],
  ...['broken-checks', 'withdrawn-users', 'daml-machine', 'resumed-runs', 'lies', 'freedoms', 'outage-guard'],
]

const folder = 'dist/test'
const ending = '.test.js'

/** @param {string} file */
function rank(file) {
  const place = long.indexOf(file.slice(0, -ending.length))
  return place < 0 ? long.length : place
}

const files = readdirSync(folder)
  .filter((file) => file.endsWith(ending))
  .sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))

run({ files: files.map((file) => join(folder, file)), concurrency })
  .on('test:fail', () => {
    process.exitCode = 1
  })
  .compose(new spec())
  .pipe(process.stdout)
