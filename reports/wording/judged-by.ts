/** The profile and the interface text of a run. */
import type { RunHeader } from '../../record/types/record.js'

/** The profile of the verdicts, with a note if they are not those of the run. */
export function judgedBy({ profile, judgedAgain }: Pick<RunHeader, 'profile' | 'judgedAgain'>): string {
  return judgedAgain === undefined
    ? profile.name
    : `${profile.name} (judged again; profile of the run: ${judgedAgain.profile})`
}

/** Follows the seed in a line; an empty string if each row was sent once. */
export const oftenInWords = ({ repeat }: Pick<RunHeader, 'repeat'>): string =>
  repeat === undefined ? '' : `, each row sent ${repeat} times`

const shortDigest = 12

/** Title, version and short digest of the interface text; undefined if the record names none. */
export function textInWords({ text }: Pick<RunHeader, 'text'>): string | undefined {
  return text && `${text.title}, ${textVersion(text)} (${text.digest.slice(0, shortDigest)})`
}

export const textVersion = ({ version }: NonNullable<RunHeader['text']>): string =>
  version === 'unversioned' ? version : `version ${version}`
