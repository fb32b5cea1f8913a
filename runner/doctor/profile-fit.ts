/** Checks that the profile covers the version of the target. */
import { excerpt } from '../../lib/json/json.js'
import type { Profile } from '../suite/suite.js'
import { type Finding, good, warning } from './finding.js'

export function checkProfile(
  version: string | undefined,
  chosen: Profile,
  profiles: ReadonlyMap<string, Profile>,
): Finding[] {
  if (version === undefined)
    return [
      good('version', 'version-untold', `the target returned no version; the run uses the profile ${chosen.name}`),
    ]
  const fitting = [...profiles.values()].find(({ line }) => line !== undefined && belongsTo(version, line))
  const facts = { version, profile: chosen.name, ...(fitting && { fitting: fitting.name }) }
  const shown = excerpt(version, 100)
  if (chosen.line === undefined || chosen === fitting)
    return [
      good('version', 'version', `the target has version ${shown}; the run uses the profile ${chosen.name}`, { facts }),
    ]
  const advice = fitting
    ? `Use --profile ${fitting.name}.`
    : 'No profile covers this version. Use --profile interface to judge by the interface text alone.'
  return [
    warning(
      'version',
      'profile-unfit',
      `the target has version ${shown}, but the profile ${chosen.name} covers ${chosen.line}`,
      {
        advice,
        facts,
      },
    ),
  ]
}

const belongsTo = (version: string, line: string): boolean => version === line || version.startsWith(`${line}.`)
