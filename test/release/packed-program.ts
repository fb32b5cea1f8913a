import { cp, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { project } from './separate-packages.js'
import { start } from './start-program.js'

const notCopied = /^(?:\.git|\.tap|node_modules|dist|results|test\/release\/packages\/node_modules)$/

/** The path of the archive, until the test ends. Packs a copy, because npm changes package.json while it packs. */
export async function packProgram(t: Pick<Test, 'teardown'>): Promise<string> {
  const source = join(await mkdtemp(join(tmpdir(), 'packed-')), 'source')
  t.teardown(() => rm(source, { recursive: true, force: true }))
  await cp(project, source, { recursive: true, filter: (path) => !notCopied.test(path.slice(project.length)) })
  await symlink(join(project, 'node_modules'), join(source, 'node_modules'))
  const packed = await start(source, 'npm', 'pack', '--silent')
  if (packed.code !== 0) throw new Error(`npm pack failed:\n${packed.output}`)
  return join(source, packed.stdout.trim().split('\n').at(-1) ?? '')
}
