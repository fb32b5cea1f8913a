import type { Profile, Suite } from '../suite/suite.js'
import { textProfile } from '../suite/suite.js'

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
  { profile, profileBy: by, suite }: { profile: Profile; profileBy?: ProfileSource; suite: Pick<Suite, 'profiles'> },
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

export const isOfLine = (version: string, line: string): boolean => version === line || version.startsWith(`${line}.`)
