/**
 * Runs test files one after the other in this process, which then loads tap and the product once:
 *   node dist/test/support/processes/test-group.js FILE...
 */
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'

function runInOrder([file, ...others]: readonly string[]): void {
  if (file === undefined) return
  // While a test runs, those of the file only queue, and tap does not end for want of any.
  t.test(`load ${file}`, async (loading) => {
    // Folders are named as where the file runs alone, so that groups have none in common.
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
