/** Installs each other tool in its own folder below `bench/.peers`, outside of all dependencies. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const home = fileURLToPath(new URL('../../../bench/.peers/', import.meta.url))

/** The folder of its command. Prints the reason and returns undefined if npm cannot install it. */
export function installed(name: string): string | undefined {
  const folder = join(home, name.replace(/\W+/g, '-'))
  const programs = join(folder, 'node_modules', '.bin')
  if (existsSync(programs)) return programs
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
  try {
    const options = ['install', '--no-audit', '--no-fund', '--loglevel', 'error', name]
    execFileSync('npm', options, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' })
    return programs
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    console.log(
      `${name} cannot be installed: ${error instanceof Error ? error.message.split('\n').slice(0, 4).join(' ') : ''}`,
    )
    return undefined
  }
}
