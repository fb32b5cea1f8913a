/** Runs test files in one process: node dist/test/support/processes/test-group.js FILE... */
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'

function runInOrder([file, ...others]: readonly string[]): void {
  if (file === undefined) return
  // Queues the tests of the file and keeps tap alive.
  t.test(`load ${file}`, async (loading) => {
    // Groups share no folders.
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
