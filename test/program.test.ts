/** The program as the build puts it together, and what V8 has made of it. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'
import { toolIdentity } from '../cli/tool.js'
import { commandLine } from './conform-process.js'

const loader = new URL('../cli/load-program.js', import.meta.url)

async function printed(...options: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, options)
  return stdout.trim()
}

t.test('V8 takes what it has made of the program while it was built', async (t) => {
  for (const use of ['command', 'simulator']) {
    const code = `import { compileProgram } from ${JSON.stringify(loader.href)}
      console.log(compileProgram(${JSON.stringify(use)}).cachedDataRejected)`
    t.equal(await printed('--input-type=module', '--eval', code), 'false', use)
  }
})

t.test('where it cannot, the program is the same', async (t) => {
  t.equal(await printed('--no-opt', ...commandLine, '--version'), toolIdentity().version)
})

t.test('files beside its sources are found from where it stands', async (t) => {
  const folder = fileURLToPath(new URL('.', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [...commandLine, 'list', '--only', 'CBI-CONTENT/*'], {
    cwd: folder,
  })
  t.match(stdout, 'CBI-CONTENT/argument')
})
