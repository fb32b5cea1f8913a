import { execFile } from 'node:child_process'
import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const project = fileURLToPath(new URL('../../../', import.meta.url))

export interface Ended {
  code: number
  output: string
  stdout: string
}

/** What this process was told about the project, and by its own test runner, would be believed by those it starts. */
const environment = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !/^(npm_(?!config_)|npm_config_local_prefix$|INIT_CWD$|NODE_TEST_CONTEXT$|TAP)/i.test(name),
  ),
)

/** Starts a program in a folder and waits for it. */
export const start = (cwd: string, program: string, ...options: string[]): Promise<Ended> =>
  new Promise((resolve) => {
    const settings = { cwd, env: { ...environment, CI: 'true' }, maxBuffer: 64 * 1024 * 1024 }
    execFile(program, options, settings, (error, stdout, stderr) => {
      const code = typeof error?.code === 'number' ? error.code : 1
      resolve({ code: error ? code : 0, output: `${stdout}${stderr}`, stdout })
    })
  })

/** Lets a folder have packages that only those have who develop. */
export async function lend(folder: string, ...names: string[]): Promise<void> {
  for (const name of names) {
    await mkdir(join(folder, 'node_modules', name, '..'), { recursive: true })
    await symlink(join(project, 'node_modules', name), join(folder, 'node_modules', name))
  }
}
