import { excerpt } from '../../lib/json/json.js'
import { type Profile, type Suite, textProfile } from '../suite/suite.js'
import { type Finding, good, warning } from './finding.js'

/** `setting`: the option, variable, or line of a file. */
export type ProfileSource = 'version' | { setting: string }

export interface ProfileChoice {
  profile: Profile
  /** Absent: the caller. */
  by?: ProfileSource
  /** Of the target; undefined: unknown. */
  version: string | undefined
  /** The profile for the version, if the suite has one. */
  fitting?: Profile
}

/**
 * By version, a known line selects its profile, and the interface text judges all other targets. An expectation of the
 * reference is no mistake of a participant that does not claim to be the reference.
 */
export function chooseProfile(
  { profile, profileBy: by, suite }: { profile: Profile; profileBy?: ProfileSource; suite: Suite },
  version: string | undefined,
): ProfileChoice {
  const fitting =
    version === undefined
      ? undefined
      : [...suite.profiles.values()].find(({ line }) => line !== undefined && isOfLine(version, line))
  const chosen = by === 'version' ? (fitting ?? suite.profiles.get(textProfile) ?? profile) : profile
  return {
    profile: chosen,
    version,
    ...(by !== undefined && { by }),
    ...(fitting && { fitting }),
  }
}

const isOfLine = (version: string, line: string): boolean => version === line || version.startsWith(`${line}.`)

export function checkProfile({ profile, by, version, fitting }: ProfileChoice): Finding {
  const facts = {
    ...(version !== undefined && { version }),
    profile: profile.name,
    ...(fitting && { fitting: fitting.name }),
  }
  const target =
    version === undefined ? 'the version of the target is unknown' : `the target has version ${excerpt(version, 100)}`
  if (by === 'version')
    return fitting
      ? good('version', 'profile-selected', `${target}, which selects the profile ${profile.name}`, { facts })
      : textJudges(target, profile.name, version, facts)
  const named = `the profile ${profile.name}${by === undefined ? '' : ` (${by.setting})`}`
  if (version === undefined) return good('version', 'version-untold', `${target}; ${named} judges`, { facts })
  if (profile.line === undefined || isOfLine(version, profile.line))
    return good('version', 'version', `${target}; ${named} judges`, { facts })
  const advice = fitting
    ? `Use --profile ${fitting.name}.`
    : 'No profile covers this version. Use --profile interface to judge by the interface text alone.'
  return warning('version', 'profile-unfit', `${target}, but ${named} covers ${profile.line}`, { advice, facts })
}

function textJudges(target: string, profile: string, version: string | undefined, facts: Finding['facts']): Finding {
  const code = version === undefined ? 'version-untold' : 'version-unknown'
  const why = version === undefined ? target : `${target}, which no profile covers`
  const advice = 'For a participant of the reference, name its line, such as --profile canton-3.5.'
  return good('version', code, `${why}; the profile ${profile} judges`, { advice, ...(facts && { facts }) })
}
