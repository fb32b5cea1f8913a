/** The tools that are given the same pairs: how each is installed, what it reads and how it is called, with a report in a file. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeOwnSuite } from './own-suite.js'
import type { Pair } from './pairs.js'
import { arazzo, hurl, openApi, postman, stepCi } from './peer-files.js'

export interface Call {
  command: string
  options: string[]
  environment?: Record<string, string>
}

export interface Tool {
  name: string
  /** As npm takes it; none for what is here. */
  package?: string
  /** Writes what it reads into the folder. `programs`: folder with the command of its package. */
  call(setting: { url: string; pairs: readonly Pair[]; folder: string; programs: string }): Call
}

const conform = fileURLToPath(new URL('../../cli/conform.js', import.meta.url))

export const tools: readonly Tool[] = [
  {
    name: 'conform',
    call: ({ url, pairs, folder }) => {
      const suite = join(folder, 'suite')
      writeOwnSuite(suite, pairs)
      const options = ['run', '--suite', suite, '--target', url, '--out', join(folder, 'results')]
      return { command: process.execPath, options: [conform, ...options] }
    },
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
        // Without them it asks the network, and ends after so many steps.
        environment: { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', RESPECT_MAX_STEPS: '100000' },
      }
    },
  },
  {
    name: 'Step CI',
    package: 'stepci@2.8.2',
    call: ({ url, pairs, folder, programs }) => {
      const file = join(folder, 'lookups.stepci.json')
      writeFileSync(file, stepCi(url, pairs))
      // Its report is what it prints. With its analytics it waits for the network.
      return {
        command: join(programs, 'stepci'),
        options: ['run', file],
        environment: { STEPCI_DISABLE_ANALYTICS: '1' },
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
  {
    name: 'Hurl',
    package: '@orangeopensource/hurl@8.0.4',
    call: ({ url, pairs, folder, programs }) => {
      const file = join(folder, 'lookups.hurl')
      writeFileSync(file, hurl(url, pairs))
      return { command: join(programs, 'hurl'), options: ['--test', '--report-junit', join(folder, 'hurl.xml'), file] }
    },
  },
]
