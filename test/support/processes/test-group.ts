/**
 * Runs several test files in one process, which loads tap and the product once. Usage:
 *   node dist/test/support/processes/test-group.js FILE...
 */
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'

function runInOrder([file, ...others]: readonly string[]): void {
  if (file === undefined) return
  // During this test, the tests of the file are queued, and tap does not end.
  t.test(`load ${file}`, async (loading) => {
    // The folder name of a single file, so that groups share no folders.
    t.testdirName = resolve('.tap/fixtures', file.replace(/[^\w.-]+/g, '-'))
    try {
      await import(pathToFileURL(file).href)
      loading.pass('is loaded')
    } finally {
      runInOrder(others)
    }
  })
}

runInOrder(process.argv.slice(2))
