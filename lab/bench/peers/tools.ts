import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeOwnSuite } from './own-suite.js'
import type { Pair } from './pairs.js'
import { arazzo, openApi, postman } from './peer-files.js'

export interface Call {
  command: string
  options: string[]
  environment?: Record<string, string>
}

export interface Tool {
  name: string
  package?: string
  /** Writes input files into the folder. `programs`: folder of the command. */
  call(setting: Setting & { programs: string }): Call
}

interface Setting {
  url: string
  pairs: readonly Pair[]
  folder: string
}

export const conform = fileURLToPath(new URL('../../../cli/conform.js', import.meta.url))

/** Options of `conform`. Writes a suite of the pairs into the folder. */
export function ownRun({ url, pairs, folder }: Setting): string[] {
  const suite = join(folder, 'suite')
  writeOwnSuite(suite, pairs)
  return ['run', '--suite', suite, '--profile', 'interface', '--target', url, '--out', join(folder, 'results')]
}

export const tools: readonly Tool[] = [
  {
    name: 'conform',
    call: (setting) => ({ command: process.execPath, options: [conform, ...ownRun(setting)] }),
  },
  {
    name: 'Redocly Respect',
    package: '@redocly/cli@2.77.0',
    call: ({ url, pairs, folder, programs }) => {
      writeFileSync(join(folder, 'openapi.json'), openApi(url, pairs))
      const file = join(folder, 'lookups.arazzo.json')
      writeFileSync(file, arazzo(pairs))
      return {
        command: join(programs, 'redocly'),
        options: ['respect', file, '--json-output', join(folder, 'respect.json')],
        // Disables its network requests and its limit of steps.
        environment: { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', RESPECT_MAX_STEPS: '100000' },
      }
    },
  },
  {
    name: 'Newman',
    package: 'newman@6.2.2',
    call: ({ url, pairs, folder, programs }) => {
      const file = join(folder, 'lookups.postman.json')
      writeFileSync(file, postman(url, pairs))
      const report = ['--reporters', 'junit', '--reporter-junit-export', join(folder, 'newman.xml')]
      return { command: join(programs, 'newman'), options: ['run', file, ...report] }
    },
  },
]

const home = fileURLToPath(new URL('../../../../lab/bench/.peers/', import.meta.url))

/** The folder of its command; undefined, with a printed reason, if npm cannot install it. */
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
