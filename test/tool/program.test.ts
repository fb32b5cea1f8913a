/** The bundle of the commands. */
import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'
import { toolIdentity } from '../../cli/tool/tool.js'
import { commandLine, conform } from '../support/processes/conform-process.js'

t.test('the bundle contains only JavaScript and licenses, nothing that depends on the release of Node', async (t) => {
  const files = await readdir(new URL('../../program/', import.meta.url))
  t.ok(files.length > 1)
  t.strictSame(
    files.filter((name) => !name.endsWith('.js')),
    ['LICENSES.txt'],
  )
})

t.test('a command prints no warnings about its compilation', async (t) => {
  t.strictSame(await conform('--version'), { code: 0, stdout: `${toolIdentity().version}\n`, stderr: '' })
})

t.test('a command finds its files from another working folder', async (t) => {
  const folder = fileURLToPath(new URL('..', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [...commandLine, 'list', '--only', 'CBI-CONTENT/*'], {
    cwd: folder,
  })
  t.match(stdout, 'CBI-CONTENT/argument')
})
