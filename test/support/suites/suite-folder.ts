import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Test } from 'tap'
import { loadSuite } from '../../../runner/load/load-suite.js'
import { type Finding, FindingsError } from '../../../runner/yaml/findings.js'
import type { Change } from '../../suite-mistakes/mistake.js'
import { tinySuite } from './tiny-suite.js'

export async function writeSuite(folder: string, changes: readonly Change[] = []): Promise<void> {
  const files: Record<string, string> = { ...tinySuite }
  for (const [name, from, to] of changes) {
    const text = files[name] ?? ''
    if (from !== undefined && !text.includes(from)) throw new Error(`${name} has no ${from}`)
    if (to === undefined) delete files[name]
    else files[name] = from === undefined ? to : text.replace(from, () => to)
  }
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
  }
}

export async function folderWith(t: Test, ...changes: Change[]): Promise<string> {
  const folder = t.testdir({})
  await writeSuite(folder, changes)
  return folder
}

export async function findingsOf(folder: string): Promise<readonly Finding[]> {
  try {
    await loadSuite(folder)
  } catch (error) {
    if (error instanceof FindingsError) return error.findings
    throw error
  }
  return []
}

/** `file:line:column: message | hint`, with relative paths; `warning: ` precedes the message of a warning. */
export function lines(folder: string, findings: readonly Finding[]): string[] {
  const prefix = folder.slice(process.cwd().length + 1)
  return findings.map(({ location, message, hint, isWarning }) => {
    const text = isWarning ? `warning: ${message}` : message
    const line = `${location.file}:${location.line}:${location.column}: ${text}${hint === undefined ? '' : ` | ${hint}`}`
    return line.replaceAll(`${prefix}/`, '')
  })
}
