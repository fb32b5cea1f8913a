import { execFile } from 'node:child_process'
import { cp, mkdir, readdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const project = fileURLToPath(new URL('../../', import.meta.url))

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

const notCopied = ['.git', '.tap', 'dist', 'node_modules', 'results']

export interface Packed {
  tarball: string
  /** Paths in the package. */
  files: string[]
}

/** Packs a copy of the project, as packing builds anew, and the other tests run what is built. */
export async function pack(folder: string): Promise<Packed> {
  const names = (await readdir(project)).filter((name) => !notCopied.includes(name))
  await Promise.all(names.map((name) => cp(join(project, name), join(folder, name), { recursive: true })))
  await symlink(join(project, 'node_modules'), join(folder, 'node_modules'))
  const { code, output, stdout } = await start(folder, 'npm', 'pack', '--json', '--silent')
  if (code !== 0) throw new Error(`npm pack failed, so there is no package to try:\n${output}`)
  const [{ filename, files }] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }] // as npm says
  return { tarball: join(folder, filename), files: files.map(({ path }) => path) }
}

/** Installs a package in an empty folder, its scripts on. */
export async function install(folder: string, tarball: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const { code, output } = await start(folder, 'npm', 'install', tarball, '--prefer-offline', '--no-audit', '--no-fund')
  if (code !== 0) throw new Error(`the package cannot be installed in an empty folder:\n${output}`)
}

/** Lets a folder have packages that only those have who develop. */
export async function lend(folder: string, ...names: string[]): Promise<void> {
  for (const name of names) {
    await mkdir(join(folder, 'node_modules', name, '..'), { recursive: true })
    await symlink(join(project, 'node_modules', name), join(folder, 'node_modules', name))
  }
}
