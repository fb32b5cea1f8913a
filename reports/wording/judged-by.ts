import type { RunHeader } from '../../record/types/record.js'

/** By which profile the verdicts came about; verdicts that are not those of the run say so. */
export function judgedBy({ profile, judgedAgain }: Pick<RunHeader, 'profile' | 'judgedAgain'>): string {
  return judgedAgain === undefined
    ? profile.name
    : `${profile.name} (judged again; the run was by ${judgedAgain.profile})`
}

/** Goes on from the seed of a run that sent each row more than once. */
export const oftenInWords = ({ repeat }: Pick<RunHeader, 'repeat'>): string =>
  repeat === undefined ? '' : `, each row sent ${repeat} times`

/** Digits of a digest that tell two texts apart at a glance. */
const shortDigest = 12

/** The text that was judged against, with the beginning of its digest; undefined where the record does not tell. */
export function textInWords({ text }: Pick<RunHeader, 'text'>): string | undefined {
  return text && `${text.title}, version ${text.version} (${text.digest.slice(0, shortDigest)})`
}
