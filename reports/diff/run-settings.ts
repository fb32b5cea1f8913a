import type { RunHeader } from '../../record/record.js'
import { judgedBy, textInWords } from '../judged-by.js'

/** Members of the header that differ, with both values: another target, profile or suite explains a lot. */
export interface SettingChange {
  name: string
  before: string
  after: string
  /** It can decide which rows are run. */
  decidesPlan: boolean
}

export function changedSettings(before: RunHeader, after: RunHeader): SettingChange[] {
  const old = new Map(settingsOf(before).map(([name, value]) => [name, value]))
  return settingsOf(after).flatMap(([name, value, decidesPlan = true]) => {
    const earlier = old.get(name) ?? ''
    return earlier === value ? [] : [{ name, before: earlier, after: value, decidesPlan }]
  })
}

const settingsOf = (header: RunHeader): [name: string, value: string, decidesPlan?: false][] => [
  ['target', header.target.embedded ? 'the embedded simulator' : header.target.url],
  ['target version', header.target.version ?? 'unknown'],
  ['protocol version', String(header.target.protocolVersion ?? 'unknown')],
  ['authorization', header.target.authorization],
  ['callers', header.callers?.map(({ actor, credential }) => `${actor}: ${credential}`).join(', ') ?? 'not told'],
  ['what the run might do', header.allowed?.join(', ') ?? 'not told'],
  ['operations done without', header.target.file?.unreachable.join(', ') || 'none'],
  ['presigned transactions', String(header.target.file?.presigned ?? 0)],
  ['profile', judgedBy(header)],
  ['interface text', textInWords(header) ?? 'not named', false],
  ['suite digest', header.suite.digest],
  ['filter', header.only ?? 'none'],
  ['how often each row was sent', String(header.repeat ?? 1), false],
  ['tool', header.tool.version, false],
]
