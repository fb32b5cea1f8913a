/** Runs test files that `tools/tests/test-files.mjs` sends, one after the other, in one process. */
import { once } from 'node:events'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { forgetSecrets } from '../../../lib/redaction/redaction.js'

/** The runner was stopped: without it, this process would go on to the end of its file. */
const orphaned = (): never => process.exit(1)
process.once('disconnect', orphaned)

/** Asks for the next file when all tests of the last one have ended. */
function runNext(): void {
  t.test('next file', async (next) => {
    process.channel?.ref()
    process.send?.('next')
    const [file] = (await once(process, 'message')) as [string] // empty after the last file
    if (file === '') {
      process.off('disconnect', orphaned)
      process.disconnect()
      return
    }
    // A secret of one file, such as `a secret`, would be hidden in the texts of the next one.
    forgetSecrets()
    // Files share no folders.
    t.testdirName = resolve('.tap/fixtures', file.replace(/[^\w.-]+/g, '-'))
    next.comment(`file: ${file}`)
    // The limit is for a file, not for all files of this process.
    t.setTimeout(t.options.timeout ?? 0)
    try {
      await import(pathToFileURL(file).href)
      next.pass(`${file} is loaded`)
    } finally {
      runNext()
    }
  })
}

runNext()
