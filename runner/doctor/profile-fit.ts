import { excerpt } from '../../lib/json/json.js'
import type { Profile } from '../suite/suite.js'
import { type Finding, good, warning } from './finding.js'

/** Whether the profile that judges is about such a version as the target says it is. */
export function checkProfile(
  version: string | undefined,
  chosen: Profile,
  profiles: ReadonlyMap<string, Profile>,
): Finding[] {
  if (version === undefined)
    return [good('version', 'version-untold', `the target does not tell its version; it is judged by ${chosen.name}`)]
  const fitting = [...profiles.values()].find(({ line }) => line !== undefined && isOf(version, line))
  const facts = { version, profile: chosen.name, ...(fitting && { fitting: fitting.name }) }
  const told = `the target says that it is version ${excerpt(version, 100)}`
  if (chosen.line === undefined || chosen === fitting)
    return [good('version', 'version', `${told}, and is judged by ${chosen.name}`, { facts })]
  const advice = fitting
    ? `--profile ${fitting.name} is about it`
    : 'no profile is about it; --profile interface judges by the text alone'
  return [warning('version', 'profile-unfit', `${told}, and ${chosen.name} is about ${chosen.line}`, { advice, facts })]
}

const isOf = (version: string, line: string): boolean => version === line || version.startsWith(`${line}.`)
