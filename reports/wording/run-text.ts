import type { RecordedConfiguration, RecordedText, RunHeader, RunRecord } from '../../record/types/record.js'
import { endText } from './reason-words.js'
import { count } from './words.js'

interface Judging {
  profile: { name: string }
  judgedAgain?: { profile: string }
}

export function judgedBy({ profile, judgedAgain }: Judging): string {
  return judgedAgain === undefined
    ? profile.name
    : `${profile.name} (judged again; profile of the run: ${judgedAgain.profile})`
}

/** An empty string if each row was sent once. */
export const oftenInWords = ({ repeat }: RunHeader): string =>
  repeat === undefined ? '' : `, each row sent ${repeat} times`

const shortDigest = 12

export function textInWords({ text }: { text?: RecordedText }): string | undefined {
  return text && `${text.title}, ${textVersion(text)} (${text.digest.slice(0, shortDigest)})`
}

/** Without the passages. */
export const textIdentity = ({ title, version, digest }: RecordedText): RecordedText => ({ title, version, digest })

export const textVersion = ({ version }: NonNullable<RunHeader['text']>): string =>
  version === 'unversioned' ? version : `version ${version}`

export const configurationLines = ({ configurations = [] }: { configurations?: RecordedConfiguration[] }): string[] =>
  configurations.map((one, index) => `configuration ${index + 1}: ${configurationInWords(one)}`)

function configurationInWords(one: RecordedConfiguration): string {
  const { url, version, protocolVersion, authorization, synchronizers, judged, seed } = one
  return [
    `${url}${version === undefined ? '' : ` (${version})`}`,
    protocolVersion === undefined ? 'protocol version unknown' : `protocol version ${protocolVersion}`,
    authorization === 'none' ? 'no authorization' : `authorization ${authorization}`,
    synchronizers === 'one' ? 'one synchronizer' : 'several synchronizers',
    `${count(judged, 'row')} judged, seed ${seed}`,
  ].join(', ')
}

/** Undefined if the run completed. */
export function runEndText({ header, rows, footer }: RunRecord): string | undefined {
  return footer?.ended && `${endText(footer.ended)} ${rows.length} of ${header.plan.length} planned rows are complete.`
}
