import { suitePath } from '../tool/tool.js'
import { type Flags, gatherMembers } from './settings.js'

/** What a command that sends nothing needs of the settings. */
export interface SuiteSettings {
  folder: string
  profile?: string
  protocolVersion?: number
}

/**
 * Reads the same files and variables as a run, so that a run and `list` or `show` never differ, but no credentials.
 * Rejects like `gatherSettings`.
 */
export async function suiteSettings(flags: Flags): Promise<SuiteSettings> {
  const run = await gatherMembers(flags, process.env, ['suite', 'profile', 'protocol-version'])
  return {
    folder: suitePath(run.suite),
    ...(run.profile !== undefined && { profile: run.profile }),
    ...(run.protocolVersion !== undefined && { protocolVersion: run.protocolVersion }),
  }
}
