import { cut, visibleLine } from '../../reports/wording/hostile-text.js'
import type { ProfileChoice } from '../../runner/doctor/profile-choice.js'

const longestVersion = 100

/** `canton-3.6 (the target has version 3.6.0)`: the profile, and who named it. */
export function profileText({ profile, by, version, fitting }: ProfileChoice): string {
  if (by === undefined) return profile.name
  if (by !== 'version') return `${profile.name} (${visibleLine(by.setting)})`
  if (version === undefined) return `${profile.name} (the version of the target is unknown)`
  const shown = visibleLine(cut(version, longestVersion))
  return `${profile.name} (${fitting ? `the target has version ${shown}` : `no profile covers version ${shown}`})`
}
