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
  if (chosen.line === undefined || belongsTo(version, chosen.line))
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

/** The profile for the reported version, if the checked profile does not cover it. */
export function fittingProfile(findings: readonly Finding[]): string | undefined {
  const name = findings.find(({ code }) => code === 'profile-unfit')?.facts?.['fitting']
  return typeof name === 'string' ? name : undefined
}

/** States that the version selected the profile. */
export const asSelected = (finding: Finding, profile: string): Finding =>
  finding.code === 'version'
    ? good(
        'version',
        'profile-selected',
        `the target has version ${excerpt(String(finding.facts?.['version']), 100)}; the version selects the profile ${profile}`,
        {
          advice: `Use --profile ${profile} for runs.`,
          ...(finding.facts && { facts: finding.facts }),
        },
      )
    : finding

const belongsTo = (version: string, line: string): boolean => version === line || version.startsWith(`${line}.`)
